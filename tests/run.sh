# Run the tests with some markers: `sh tests/run.sh PYTHON "not long"`. The tests of the Spark engine
# run in a process of their own, since one Spark serves them all, and beside the others, since they
# often wait: for executors that start, and for executors that were killed. Their output is shown at
# the end. The tests of a file run in one process, and share what they prepare.

python=$1
markers=$2
log=$(mktemp)
"$python" -m pytest -m "$markers" --durations 10 tests/engines/spark > "$log" 2>&1 &
spark=$!
trap 'kill $spark 2> /dev/null; rm -f "$log"' EXIT
trap 'exit 130' INT TERM

"$python" -m pytest -m "$markers" -n auto --dist loadfile --durations 25 --ignore tests/engines/spark
others_code=$?
echo "waiting for the tests of the Spark engine ..."
wait $spark
spark_code=$?
cat "$log"
[ $others_code -eq 0 ] && [ $spark_code -eq 0 ]
