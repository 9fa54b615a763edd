# Find a browser for the tests of the report, or install Debian's where that can be done.
# Without one, these tests are skipped, which the summary of the tests says too.

for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing chromium for the tests of the report ..."
    export DEBIAN_FRONTEND=noninteractive
    if { timeout 120 apt-get -qq update && timeout 240 apt-get -qq -y install chromium; } \
        >/dev/null 2>&1; then
        exit 0
    fi
    echo "chromium could not be installed: the tests of the report in a browser are skipped"
else
    echo "no chromium, and no way to install it here: the tests of the report in a browser are skipped"
fi
exit 0
