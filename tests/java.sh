# Find a Java for the tests of the Spark engine, or install Debian's where that can be done.
# Without one, these tests are skipped, which the summary of the tests says too.

java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
version=$("$java" -version 2>&1 | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1)
[ "${version:-0}" -ge 17 ] && exit 0
if [ -z "$JAVA_HOME" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing Java for the tests of the Spark engine ..."
    export DEBIAN_FRONTEND=noninteractive
    timeout 120 apt-get -qq update >/dev/null 2>&1
    for package in openjdk-17-jre-headless openjdk-21-jre-headless; do
        timeout 240 apt-get -qq -y install "$package" >/dev/null 2>&1 && exit 0
    done
    echo "Java could not be installed: the tests of the Spark engine are skipped"
else
    echo "no Java 17 or later, and no way to install it here: the tests of the Spark engine are skipped"
fi
exit 0
