#!/bin/sh
# 50 moves are the 100 actions of one transaction; one node more, and DynamoDB could not do it at once.
. "$(dirname "$0")/setup.sh"

mounted path
files 49 "$work/mnt/fits"
files 50 "$work/mnt/too-many"
mv "$work/mnt/fits" "$work/mnt/moved"
cost=$(last_rename)
expect "$cost" items 50
expect "$cost" transact_calls 1
expect "$cost" atomic_on_dynamodb true
mv "$work/mnt/too-many" "$work/mnt/moved-too"
cost=$(last_rename)
expect "$cost" items 51
expect "$cost" transact_calls 2
expect "$cost" atomic_on_dynamodb false
echo "50 moves are atomic, 51 are not"
