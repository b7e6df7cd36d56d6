"""Every operation of `edgewise serve` by boto3 and by the AWS CLI. Usage: operations.py URL

Each case is a sentence that holds; the last line is the count. Needs boto3 and awscli (both from PyPI) on the path.
"""

import json
import os
import subprocess
import sys
import time
import traceback

import boto3
from botocore.exceptions import ClientError

URL = sys.argv[1]
SETTINGS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "eu-central-1",
}
os.environ.update(SETTINGS)

TABLE = {
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}
ITEM = {**KEY, "name": {"S": "Tom"}, "bytes": {"B": b"\x00\xff"}, "tags": {"SS": ["x", "y"]}}

CASES = []


def case(function):
    CASES.append(function)
    return function


class Boto3:
    """Operations by their Python names; answers as boto3 has them."""

    name = "boto3"

    def __init__(self):
        self.dynamodb = boto3.client("dynamodb", endpoint_url=URL)
        self.streams = boto3.client("dynamodbstreams", endpoint_url=URL)

    def call(self, operation, service="dynamodb", **request):
        client = self.dynamodb if service == "dynamodb" else self.streams
        try:
            return getattr(client, operation)(**request)
        except ClientError as error:
            raise Refused(error.response["Error"]["Code"]) from error

    def knows(self, operation):
        return True


class Cli:
    """The same operations as commands of the AWS CLI; answers as it prints them."""

    name = "AWS CLI"

    def call(self, operation, service="dynamodb", **request):
        command = [sys.executable, "-m", "awscli", service, operation.replace("_", "-"), "--endpoint-url", URL]
        command += ["--cli-input-json", json.dumps(request, default=base64_of)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Refused(done.stderr.split("occurred (", 1)[-1].split(")", 1)[0])
        return json.loads(done.stdout or "{}")

    def knows(self, operation):
        command = [sys.executable, "-m", "awscli", "dynamodb", operation.replace("_", "-"), "--generate-cli-skeleton"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def base64_of(value):
    import base64

    return base64.b64encode(value).decode()


class Refused(Exception):
    pass


def refused(code, work):
    try:
        work()
    except Refused as error:
        assert str(error) == code, f"refused with {error}, not {code}"
        return
    raise AssertionError(f"not refused, though {code} was expected")


@case
def tables_are_created_described_listed_and_changed(client, table):
    client.call("create_table", TableName=table, **TABLE)
    described = client.call("describe_table", TableName=table)["Table"]
    assert described["TableStatus"] == "ACTIVE" and ":eu-central-1:" in described["TableArn"]
    assert table in client.call("list_tables")["TableNames"]
    client.call("update_table", TableName=table, DeletionProtectionEnabled=False)
    index = {
        "IndexName": "byName",
        "KeySchema": [{"AttributeName": "name", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    client.call(
        "update_table",
        TableName=table,
        AttributeDefinitions=[*TABLE["AttributeDefinitions"], {"AttributeName": "name", "AttributeType": "S"}],
        GlobalSecondaryIndexUpdates=[{"Create": index}],
    )
    refused("ResourceInUseException", lambda: client.call("create_table", TableName=table, **TABLE))
    refused("ResourceNotFoundException", lambda: client.call("describe_table", TableName="nowhere"))


@case
def items_are_put_got_updated_and_deleted(client, table):
    client.call("put_item", TableName=table, Item=ITEM)
    got = client.call("get_item", TableName=table, Key=KEY, ConsistentRead=True)["Item"]
    # The CLI takes bytes in JSON as they stand, and prints what is stored as base64: there they are encoded twice.
    assert got["name"] == {"S": "Tom"} and got["bytes"]["B"] in (b"\x00\xff", base64_of(b"AP8="))
    updated = client.call(
        "update_item",
        TableName=table,
        Key=KEY,
        UpdateExpression="SET visits = if_not_exists(visits, :zero) + :one",
        ExpressionAttributeValues={":zero": {"N": "0"}, ":one": {"N": "1"}},
        ReturnValues="ALL_NEW",
    )
    assert updated["Attributes"]["visits"] == {"N": "1"}
    condition = {"ConditionExpression": "attribute_not_exists(pk)"}
    refused("ConditionalCheckFailedException", lambda: client.call("put_item", TableName=table, Item=ITEM, **condition))
    client.call("delete_item", TableName=table, Key=KEY)
    assert "Item" not in client.call("get_item", TableName=table, Key=KEY)


@case
def legacy_parameters_are_taken(client, table):
    client.call("put_item", TableName=table, Item=ITEM, Expected={"pk": {"Exists": False}})
    update = {"level": {"Action": "ADD", "Value": {"N": "2"}}}
    client.call("update_item", TableName=table, Key=KEY, AttributeUpdates=update)
    conditions = {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}
    found = client.call("query", TableName=table, KeyConditions=conditions, AttributesToGet=["level"])
    assert found["Items"] == [{"level": {"N": "2"}}]


@case
def batches_are_written_and_read(client, table):
    rows = [{"PutRequest": {"Item": {"pk": {"S": "b"}, "sk": {"N": str(n)}}}} for n in range(25)]
    assert client.call("batch_write_item", RequestItems={table: rows})["UnprocessedItems"] == {}
    keys = [{"pk": {"S": "b"}, "sk": {"N": str(n)}} for n in range(30)]
    answer = client.call("batch_get_item", RequestItems={table: {"Keys": keys}})
    assert len(answer["Responses"][table]) == 25


@case
def queries_and_scans_page(client, table):
    values = {":pk": {"S": "b"}}
    found = client.call(
        "query", TableName=table, KeyConditionExpression="pk = :pk", ExpressionAttributeValues=values, ReturnConsumedCapacity="TOTAL"
    )
    assert found["Count"] == 25 and found["ConsumedCapacity"]["CapacityUnits"] == 0.5
    on_index = client.call(
        "query",
        TableName=table,
        IndexName="byName",
        KeyConditionExpression="#n = :n",
        ExpressionAttributeNames={"#n": "name"},
        ExpressionAttributeValues={":n": {"S": "Tom"}},
    )
    assert on_index["Count"] == 1
    assert client.call("scan", TableName=table, Select="COUNT")["Count"] == 26


@case
def transactions_are_all_or_nothing(client, table):
    put = lambda n, **more: {"Put": {"TableName": table, "Item": {"pk": {"S": "t"}, "sk": {"N": str(n)}}, **more}}
    client.call("transact_write_items", TransactItems=[put(1), put(2)], ClientRequestToken=f"once-{table}")
    client.call("transact_write_items", TransactItems=[put(1), put(2)], ClientRequestToken=f"once-{table}")
    failing = [put(3), put(1, ConditionExpression="attribute_not_exists(pk)")]
    refused("TransactionCanceledException", lambda: client.call("transact_write_items", TransactItems=failing))
    get = lambda n: {"Get": {"TableName": table, "Key": {"pk": {"S": "t"}, "sk": {"N": str(n)}}}}
    answer = client.call("transact_get_items", TransactItems=[get(1), get(3)])["Responses"]
    assert "Item" in answer[0] and "Item" not in answer[1]


@case
def partiql_is_run(client, table):
    client.call("execute_statement", Statement=f"INSERT INTO \"{table}\" VALUE {{'pk': 'p', 'sk': 1, 'n': 5}}")
    statement = f'SELECT n FROM "{table}" WHERE pk = ? AND sk = ?'
    parameters = [{"S": "p"}, {"N": "1"}]
    assert client.call("execute_statement", Statement=statement, Parameters=parameters)["Items"] == [{"n": {"N": "5"}}]
    batch = client.call("batch_execute_statement", Statements=[{"Statement": statement, "Parameters": parameters}])
    assert batch["Responses"][0]["Item"] == {"n": {"N": "5"}}
    update = f"UPDATE \"{table}\" SET n = 6 WHERE pk = 'p' AND sk = 1"
    client.call("execute_transaction", TransactStatements=[{"Statement": update}])
    assert client.call("execute_statement", Statement=statement, Parameters=parameters)["Items"] == [{"n": {"N": "6"}}]


@case
def streams_tell_every_change(client, table):
    streams = client.call("list_streams", "dynamodbstreams", TableName=table)["Streams"]
    arn = streams[0]["StreamArn"]
    description = client.call("describe_stream", "dynamodbstreams", StreamArn=arn)["StreamDescription"]
    records = []
    for shard in description["Shards"]:
        iterator = client.call(
            "get_shard_iterator",
            "dynamodbstreams",
            StreamArn=arn,
            ShardId=shard["ShardId"],
            ShardIteratorType="TRIM_HORIZON",
        )["ShardIterator"]
        records += client.call("get_records", "dynamodbstreams", ShardIterator=iterator)["Records"]
    names = [record["eventName"] for record in records]
    assert {"INSERT", "MODIFY", "REMOVE"} <= set(names), names
    assert all(record["awsRegion"] == "eu-central-1" for record in records)


@case
def settings_of_tables_are_told(client, table):
    client.call(
        "update_time_to_live", TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    ttl = client.call("describe_time_to_live", TableName=table)["TimeToLiveDescription"]
    assert ttl["TimeToLiveStatus"] in ("ENABLED", "ENABLING")
    arn = client.call("describe_table", TableName=table)["Table"]["TableArn"]
    client.call("tag_resource", ResourceArn=arn, Tags=[{"Key": "a", "Value": "1"}])
    assert client.call("list_tags_of_resource", ResourceArn=arn)["Tags"] == [{"Key": "a", "Value": "1"}]
    client.call("untag_resource", ResourceArn=arn, TagKeys=["a"])
    assert client.call("list_tags_of_resource", ResourceArn=arn)["Tags"] == []
    assert client.call("describe_limits")["AccountMaxReadCapacityUnits"] > 0
    assert client.call("describe_endpoints")["Endpoints"]
    client.call("describe_continuous_backups", TableName=table)
    client.call(
        "update_continuous_backups",
        TableName=table,
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
    )


@case
def policies_of_tables_are_kept(client, table):
    arn = client.call("describe_table", TableName=table)["Table"]["TableArn"]
    refused("PolicyNotFoundException", lambda: client.call("get_resource_policy", ResourceArn=arn))
    principal = {"AWS": "arn:aws:iam::123456789012:root"}
    statement = {"Effect": "Allow", "Principal": principal, "Action": "dynamodb:GetItem", "Resource": arn}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    revision = client.call("put_resource_policy", ResourceArn=arn, Policy=policy)["RevisionId"]
    assert client.call("put_resource_policy", ResourceArn=arn, Policy=policy)["RevisionId"] == revision
    assert json.loads(client.call("get_resource_policy", ResourceArn=arn)["Policy"]) == json.loads(policy)
    assert client.call("delete_resource_policy", ResourceArn=arn)["RevisionId"] == revision


@case
def contributor_insights_are_enabled(client, table):
    described = client.call("describe_contributor_insights", TableName=table)
    assert described["ContributorInsightsStatus"] == "DISABLED"
    client.call("update_contributor_insights", TableName=table, ContributorInsightsAction="ENABLE")
    described = client.call("describe_contributor_insights", TableName=table)
    assert len(described["ContributorInsightsRuleList"]) == 4
    listed = client.call("list_contributor_insights", TableName=table)["ContributorInsightsSummaries"]
    assert [each["ContributorInsightsStatus"] for each in listed] == ["ENABLED"]


@case
def there_are_no_global_tables(client, table):
    refused("GlobalTableNotFoundException", lambda: client.call("describe_global_table", GlobalTableName=table))
    for operation in ("describe_table_replica_auto_scaling", "update_table_replica_auto_scaling"):
        refused("ResourceNotFoundException", lambda: client.call(operation, TableName=table))
    assert client.call("list_global_tables")["GlobalTables"] == []
    named = {"GlobalTableName": table}
    region = {"RegionName": "us-east-1"}
    for operation in ("describe_global_table_settings", "update_global_table_settings"):
        refused("GlobalTableNotFoundException", lambda: client.call(operation, **named))
    refused("ValidationException", lambda: client.call("create_global_table", **named, ReplicationGroup=[region]))
    refused(
        "GlobalTableNotFoundException",
        lambda: client.call("update_global_table", **named, ReplicaUpdates=[{"Delete": region}]),
    )


@case
def tables_are_backed_up_and_restored(client, table):
    count = client.call("scan", TableName=table, Select="COUNT")["Count"]
    arn = client.call("create_backup", TableName=table, BackupName="first")["BackupDetails"]["BackupArn"]
    described = client.call("describe_backup", BackupArn=arn)["BackupDescription"]
    assert described["SourceTableDetails"]["ItemCount"] == count
    assert [each["BackupArn"] for each in client.call("list_backups", TableName=table)["BackupSummaries"]] == [arn]
    recovery = client.call("describe_continuous_backups", TableName=table)["ContinuousBackupsDescription"]
    earliest = recovery["PointInTimeRecoveryDescription"]["EarliestRestorableDateTime"]
    restored = f"{table}-restored"
    point = {"SourceTableName": table, "TargetTableName": restored}
    for operation, request in (
        ("restore_table_from_backup", {"BackupArn": arn, "TargetTableName": restored}),
        ("restore_table_to_point_in_time", {**point, "RestoreDateTime": earliest}),
        ("restore_table_to_point_in_time", {**point, "UseLatestRestorableTime": True}),
    ):
        assert client.call(operation, **request)["TableDescription"]["RestoreSummary"]["RestoreInProgress"]
        assert client.call("scan", TableName=restored, Select="COUNT")["Count"] == count
        client.call("delete_table", TableName=restored)
    client.call("delete_backup", BackupArn=arn)
    refused("BackupNotFoundException", lambda: client.call("describe_backup", BackupArn=arn))


def completed(client, operation, description, status, **request):
    """Waits until a background job has ended, and returns its description."""
    for _ in range(200):
        described = client.call(operation, **request)[description]
        if described[status] != "IN_PROGRESS":
            break
        time.sleep(0.1)
    assert described[status] == "COMPLETED", described
    return described


@case
def tables_are_exported_and_imported(client, table):
    count = client.call("scan", TableName=table, Select="COUNT")["Count"]
    arn = client.call("describe_table", TableName=table)["Table"]["TableArn"]
    started = client.call("export_table_to_point_in_time", TableArn=arn, S3Bucket="exports")["ExportDescription"]
    export = started["ExportArn"]
    done = completed(client, "describe_export", "ExportDescription", "ExportStatus", ExportArn=export)
    assert done["ItemCount"] == count
    assert export in [each["ExportArn"] for each in client.call("list_exports", TableArn=arn)["ExportSummaries"]]
    name = f"{table}-imported"
    description = client.call("describe_table", TableName=table)["Table"]
    keys = {each["AttributeName"] for each in description["KeySchema"]}
    created = client.call(
        "import_table",
        S3BucketSource={"S3Bucket": "exports", "S3KeyPrefix": done["ExportManifest"].rsplit("/", 1)[0] + "/data/"},
        InputFormat="DYNAMODB_JSON",
        InputCompressionType="GZIP",
        TableCreationParameters={
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": description["KeySchema"],
            "AttributeDefinitions": [
                each for each in description["AttributeDefinitions"] if each["AttributeName"] in keys
            ],
        },
    )["ImportTableDescription"]
    completed(client, "describe_import", "ImportTableDescription", "ImportStatus", ImportArn=created["ImportArn"])
    assert client.call("list_imports")["ImportSummaryList"]
    assert client.call("scan", TableName=name, Select="COUNT")["Count"] == count
    client.call("delete_table", TableName=name)


@case
def vectors_are_searched_where_the_client_can_ask_for_it(client, table):
    if not client.knows("search_vectors"):
        return
    name = f"{table}-vectors"
    client.call(
        "create_table",
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        VectorIndexes=[
            {
                "IndexName": "near",
                "VectorAttribute": {"AttributeName": "at"},
                "Dimensions": 2,
                "DistanceFunction": "EUCLIDEAN",
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    for pk, numbers in (("far", ["9", "9"]), ("near", ["1", "0.5"])):
        at = {"L": [{"N": number} for number in numbers]}
        client.call("put_item", TableName=name, Item={"pk": {"S": pk}, "at": at})
    found = client.call(
        "search_vectors", TableName=name, IndexName="near", SearchVector=[{"N": "1"}, {"N": "0"}], TopK=1
    )["SearchResults"]
    assert [(each["Item"]["pk"]["S"], each["Score"]) for each in found] == [("near", 0.5)]
    client.call("delete_table", TableName=name)


@case
def what_is_not_supported_is_an_unknown_operation(client, table):
    # Programs ask by these whether there is more to try.
    refused(
        "UnknownOperationException", lambda: client.call("describe_kinesis_streaming_destination", TableName=table)
    )


@case
def tables_are_deleted(client, table):
    client.call("delete_table", TableName=table)
    assert table not in client.call("list_tables")["TableNames"]


def main():
    passed = failed = 0
    for client in (Boto3(), Cli()):
        for run in CASES:
            name = f"{client.name}: {run.__name__.replace('_', ' ')}"
            try:
                run(client, "clients-" + client.name.replace(" ", "-"))
                passed += 1
                print(f"ok      {name}")
            except Exception:
                failed += 1
                print(f"FAILED  {name}")
                traceback.print_exc(limit=-3)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
