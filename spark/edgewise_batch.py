"""Runs a plan of edgewise on Apache Spark: reads a DynamoDB export, runs SQL, and writes the results as JSON lines.

spark-submit edgewise_batch.py --plan plan.json --output s3://bucket/results
  [--from s3://bucket/export]... or [--latest s3://bucket/exports]

The plan has all SQL. This program knows nothing about graphs: it reads files, runs statements and writes rows. It needs
Spark 4.0 or later, and no Python package but pyspark.
"""

import argparse
import base64
import hashlib
import json
import posixpath
import sys
from datetime import datetime, timezone
from time import monotonic

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

PLAN_VERSION = 1
SUMMARY = "manifest-summary.json"
DATA_FOLDER = "AWSDynamoDB"
RESULTS = "results.json"
# Views with this schema are global, because other temporary views of Spark have none.
PHYSICAL = "physical"
ITEMS = f"{PHYSICAL}.items"
# DynamoDB documents checksums in `.checksum` files; edgewise writes `.md5` files.
CHECKSUM_ENDINGS = ("checksum", "md5")


class PlanError(Exception):
    """A failure with a message for the user."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def source_error(path, wrong, advice):
    return PlanError("batch.source", f"{path}: {wrong}; {advice}.")


def create_session():
    return (
        SparkSession.builder.appName("edgewise batch")
        .config("spark.sql.globalTempDatabase", PHYSICAL)
        .config("spark.sql.ansi.enabled", "true")
        .config("spark.sql.ansi.doubleQuotedIdentifiers", "true")
        .config("spark.sql.session.timeZone", "UTC")
        # A text of a query such as '${x}' is a text.
        .config("spark.sql.variable.substitute", "false")
        .getOrCreate()
    )


class Files:
    """Small files and folders in any file system that Spark can read, such as S3."""

    def __init__(self, spark):
        self.jvm = spark._jvm
        self.configuration = spark._jsc.hadoopConfiguration()

    def _locate(self, path):
        located = self.jvm.org.apache.hadoop.fs.Path(path)
        return located.getFileSystem(self.configuration), located

    def exists(self, path):
        system, located = self._locate(path)
        return system.exists(located)

    def folders(self, path):
        system, located = self._locate(path)
        return sorted(
            join(path, status.getPath().getName()) for status in system.listStatus(located) if status.isDirectory()
        )

    def read(self, path):
        system, located = self._locate(path)
        stream = system.open(located)
        try:
            return bytes(self.jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()

    def write(self, path, text):
        system, located = self._locate(path)
        stream = system.create(located, True)
        stream.write(bytearray(text, "utf-8"))
        stream.close()

    def remove(self, path):
        system, located = self._locate(path)
        system.delete(located, True)


def join(folder, name):
    return f"{folder.rstrip('/')}/{name}"


def md5_of(content):
    return base64.b64encode(hashlib.md5(content).digest()).decode()


class Export:
    """The manifests of an export of DynamoDB to S3."""

    def __init__(self, files, path):
        self.files = files
        self.folder = find_export_folder(files, path)
        summary = json.loads(self.read_manifest(SUMMARY))
        self.is_full = is_full_export(summary)
        self.moment = moment_of(summary, self.folder)
        if summary.get("outputFormat") != "DYNAMODB_JSON":
            raise source_error(
                self.folder,
                f"its format is {summary.get('outputFormat')}",
                "export the table in the format DYNAMODB_JSON",
            )
        self.table = {name: summary.get(name) for name in ("tableArn", "tableId")}
        self.since = None if self.is_full else parse_time(summary["exportFromTime"])
        self.data_files = [entry for entry in self.list_data_files(summary) if entry["items"] > 0]
        self.items = sum(entry["items"] for entry in self.data_files)

    def read_manifest(self, name):
        path = join(self.folder, name)
        if not self.files.exists(path):
            raise source_error(path, "the manifest is missing", "download the export again")
        content = self.files.read(path)
        for ending in CHECKSUM_ENDINGS:
            checksum = join(self.folder, name.removesuffix("json") + ending)
            if self.files.exists(checksum):
                assert_same_hash(path, self.files.read(checksum).decode().strip(), md5_of(content))
        return content.decode()

    def list_data_files(self, summary):
        """Names in a manifest are keys of S3. The folders between a data file and the manifest are the same here."""
        manifest_key = summary.get("manifestFilesS3Key")
        name = posixpath.basename(manifest_key or "manifest-files.json")
        for line in self.read_manifest(name).splitlines():
            if not line.strip():
                continue
            entry = json.loads(line)
            key = entry["dataFileS3Key"]
            above = posixpath.dirname(manifest_key) if manifest_key else posixpath.dirname(posixpath.dirname(key))
            path = join(self.folder, posixpath.relpath(key, above))
            scheme, separator, rest = path.partition("://")
            path = scheme + separator + posixpath.normpath(rest) if separator else posixpath.normpath(path)
            if not self.files.exists(path):
                raise source_error(path, "a file of the export is missing", "download the export again")
            yield {"path": path, "items": int(entry["itemCount"]), "md5": entry.get("md5Checksum")}

    def paths(self):
        return [entry["path"] for entry in self.data_files]


def is_full_export(summary):
    return summary.get("exportType", "FULL_EXPORT") == "FULL_EXPORT"


def moment_of(summary, folder):
    moment = summary.get("exportTime" if is_full_export(summary) else "exportToTime")
    if not isinstance(moment, str):
        raise source_error(join(folder, SUMMARY), "it is not the summary of an export", "give the folder of an export")
    return parse_time(moment)


def complete_exports(files, path):
    """The folders of exports. DynamoDB writes the summary last, so an export without it is incomplete."""
    return [folder for folder in files.folders(path) if files.exists(join(folder, SUMMARY))]


def find_latest_export(files, path):
    """The folder of the newest complete full export below a folder that DynamoDB exports one table to."""
    # A role that may read only what is below the path is refused when it asks for the path itself.
    above = join(path, DATA_FOLDER)
    folders = complete_exports(files, above) if files.exists(above) else []
    summaries = [(folder, json.loads(files.read(join(folder, SUMMARY)))) for folder in folders]
    full = [(moment_of(summary, folder), folder, summary) for folder, summary in summaries if is_full_export(summary)]
    if not full:
        raise source_error(path, "it holds no complete full export", "export the table to it, or wait for its export")
    tables = sorted({str(summary.get("tableArn")) for _, _, summary in full})
    if len(tables) > 1:
        names = ", ".join(tables[:3])
        raise source_error(
            path, f"it holds exports of {len(tables)} tables ({names})", "export each table to a folder of its own"
        )
    return max(full, key=lambda each: each[:2])[1]


def find_export_folder(files, path):
    """The folder of the export that a path leads to: that folder, or one above it that holds no other export."""
    if not files.exists(path):
        raise source_error(path, "it does not exist", "check the path")
    if files.exists(join(path, SUMMARY)):
        return path
    above = join(path, DATA_FOLDER) if files.exists(join(path, DATA_FOLDER)) else path
    found = complete_exports(files, above)
    if len(found) == 1:
        return found[0]
    if not found:
        raise source_error(path, "it holds no export", "give the folder of one")
    raise source_error(path, f"it holds {len(found)} exports", f"give one of {', '.join(found[:3])}")


def parse_time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def format_time(time):
    """A time as JavaScript's toISOString() writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def assert_same_hash(path, expected, found):
    if expected != found:
        raise source_error(path, f"its MD5 checksum is {found} instead of {expected}", "download the export again")


def assert_sequence(exports):
    """An incremental export is of the time since the export before it. A gap would leave out changes."""
    full, *increments = exports
    if not full.is_full:
        raise source_error(
            full.folder, "it is an incremental export", "give a full export first, then the incremental ones"
        )
    end = full.moment
    for each in increments:
        if each.is_full:
            raise source_error(each.folder, "it is a second full export", "give one full export")
        if each.since > end:
            raise source_error(
                each.folder,
                f"it begins at {format_time(each.since)}, after {format_time(end)}",
                "give the export in between too",
            )
        # Its items would replace later ones.
        if each.moment < end:
            raise source_error(each.folder, f"it ends at {format_time(each.moment)}, before {format_time(end)}", "omit it")
        end = each.moment


def assert_table(exports):
    """A table that was deleted and created again has another id. Manifests may lack both."""
    for name in ("tableArn", "tableId"):
        known = [each for each in exports if each.table[name] is not None]
        for each in known[1:]:
            if each.table[name] != known[0].table[name]:
                raise source_error(
                    each.folder,
                    f"its {name} is {each.table[name]} instead of {known[0].table[name]}",
                    "give exports of one table",
                )


class Run:
    """One run of a plan."""

    def __init__(self, spark, plan, output):
        self.spark = spark
        self.plan = plan
        self.output = output
        self.work = join(output, "work")
        self.files = Files(spark)
        self.stored = 0
        self.paths = {}
        self.replaced = []
        if spark.sparkContext.master.startswith("local"):
            spark.conf.set("spark.sql.shuffle.partitions", str(spark.sparkContext.defaultParallelism))

    def run(self, source):
        # The output may be that of an earlier run, whose document would mark the results of a failed run as complete.
        self.files.remove(join(self.output, RESULTS))
        exports = [Export(self.files, path) for path in source]
        assert_sequence(exports)
        assert_table(exports)
        items = self.read_items(exports)
        stored_layout = self.read_layout(exports[0], items)
        moment = exports[-1].moment
        self.spark.sql("DECLARE OR REPLACE VARIABLE edgewise_moment_ms DOUBLE")
        self.spark.sql(f"SET VAR edgewise_moment_ms = CAST({int(moment.timestamp() * 1000)} AS DOUBLE)")
        for view in self.plan["views"]:
            self.name_view(self.spark.sql(view["as"]), view["name"], view.get("schema"))
        jobs = {job["name"]: self.run_job(job, at) for at, job in enumerate(self.plan["jobs"])}
        document = {
            "version": PLAN_VERSION,
            "fingerprint": self.plan["fingerprint"],
            "source": source,
            "moment": format_time(moment),
            "items": items,
            "jobs": jobs,
            "definitions": {job["name"]: job["definition"] for job in self.plan["jobs"] if "definition" in job},
            "storedLayout": stored_layout,
        }
        self.files.remove(self.work)
        # Written last: a folder without it is the output of a run that failed.
        self.files.write(join(self.output, RESULTS), json.dumps(document, indent=2) + "\n")

    def run_job(self, job, number):
        start = monotonic()
        self.run_steps(job["steps"])
        results = {result["name"]: self.write_result(result, f"{number}-{result['name']}") for result in job["results"]}
        print(f"{job['name']}: {monotonic() - start:.1f} s", flush=True)
        return results

    def name_view(self, frame, name, schema=None):
        if schema == PHYSICAL:
            frame.createOrReplaceGlobalTempView(name)
        else:
            frame.createOrReplaceTempView(name)

    def store(self, frame, name):
        """Computes a table now and keeps it as Parquet, so that a loop does not compute its earlier rounds again. A
        checkpoint would be lost with a machine, and its self-joins fail in Spark 4.3 ('key not found')."""
        self.stored += 1
        path = join(self.work, f"{self.stored}")
        frame.write.mode("overwrite").parquet(path)
        before, self.paths[name] = self.paths.get(name), path
        if before is not None:
            self.replaced.append(before)
        return self.spark.read.schema(frame.schema).parquet(path)

    def remove_replaced(self):
        """Frees the tables that later ones of the same name replaced."""
        for path in self.replaced:
            self.files.remove(path)
        self.replaced.clear()

    # Items

    def read_items(self, exports):
        for each in exports:
            self.assert_checksums(each)
        full, *increments = exports
        self.name_view(self.read_lines(full, ["Item"]), "documents")
        self.store_items(self.spark.sql(self.plan["items"]))
        items = self.spark.table(ITEMS)
        self.assert_count(full, items.count())
        self.assert_keys(full, items)
        for each in increments:
            self.apply_increment(each)
        return self.spark.table(ITEMS).count()

    def read_layout(self, export, items):
        """The item that records the layout of the table, which edgewise compares with that of the graph."""
        stored = self.spark.sql(self.plan["storedLayout"]).first()
        if stored is not None:
            return stored["item"]
        if items > 0 and self.spark.sql(self.plan["ownItem"]).first() is None:
            raise source_error(
                export.folder,
                f"none of its {items} items has a type of the graph",
                "give data of the table of this graph",
            )
        return None

    def read_lines(self, export, members):
        """The JSON of these members of each line of an export, as columns."""
        paths = export.paths()
        if paths:
            # Other characters in the path of a file are no pattern.
            lines = self.spark.read.option("__globPaths__", "false").text(paths)
        else:
            lines = self.spark.createDataFrame([], "value STRING")
        line = lines.select(F.try_parse_json("value").alias("line"))
        return line.select(*[F.try_variant_get("line", f"$.{name}", "variant").alias(name) for name in members])

    def store_items(self, frame):
        self.name_view(self.store(frame, ITEMS), "items", PHYSICAL)
        self.remove_replaced()

    def apply_increment(self, export):
        """An item that an increment has is replaced by its new image; without one it was deleted."""
        self.name_view(self.read_lines(export, ["Keys", "NewImage"]), "documents")
        changes = self.store(self.spark.sql(self.plan["changes"]), "increment")
        keyed = changes.where("pk IS NOT NULL AND sk IS NOT NULL").count()
        if keyed != export.items or changes.count() != export.items:
            raise source_error(
                export.folder,
                f"it has {keyed} changes of items with a key instead of {export.items}",
                "export or download it again",
            )
        self.name_view(changes, "increment")
        self.name_view(self.spark.sql(self.plan["images"]), "documents")
        before = self.spark.table(ITEMS).join(changes.select("pk", "sk"), ["pk", "sk"], "left_anti")
        after = self.spark.sql(self.plan["items"])
        self.store_items(before.unionByName(after))

    def assert_checksums(self, export):
        expected = {entry["path"]: entry["md5"] for entry in export.data_files if entry["md5"] is not None}
        if not expected:
            return
        contents = self.spark.read.format("binaryFile").option("__globPaths__", "false").load(list(expected))
        hashes = contents.select("path", F.base64(F.unhex(F.md5("content")))).collect()
        names = {posixpath.basename(path): path for path in expected}
        for found_path, found in hashes:
            path = names[posixpath.basename(found_path)]
            assert_same_hash(path, expected[path], found)

    def assert_count(self, export, found):
        if found != export.items:
            raise source_error(
                export.folder, f"it has {found} items instead of {export.items}", "export or download it again"
            )

    def assert_keys(self, export, items):
        keyless = items.where("pk IS NULL OR sk IS NULL").count()
        if keyless > 0:
            raise source_error(
                export.folder,
                f"{keyless} lines have no item with the key {', '.join(self.plan['keys'])}",
                "give an export of the table of this graph",
            )

    # Steps

    def run_steps(self, steps):
        for step in steps:
            if "create" in step:
                self.name_view(self.store(self.spark.sql(step["as"]), step["create"]), step["create"])
                self.remove_replaced()
            elif "repeat" in step:
                self.run_loop(step)
            elif "columns" in step:
                self.assert_columns(step)
            else:
                self.assert_empty(step)

    def run_loop(self, step):
        for _ in range(step["times"]):
            self.run_steps(step["repeat"])
            if "until" in step and self.spark.sql(step["until"]).first()[0]:
                return
        if "unfinished" in step:
            raise PlanError("batch.job", step["unfinished"])

    def assert_columns(self, step):
        columns = self.spark.table(step["of"]).columns
        missing = [name for name in step["columns"] if name not in columns]
        if missing:
            message = step["message"].replace("{name}", missing[0])
            raise PlanError("batch.job", message.replace("{columns}", ", ".join(columns)))

    def assert_empty(self, step):
        row = self.spark.sql(step["empty"]).first()
        if row is not None:
            text = json.dumps(row.asDict(), default=str, ensure_ascii=False)
            raise PlanError("batch.job", step["message"].replace("{row}", text))

    # Results

    def write_result(self, result, folder):
        """Writes the rows of a query. All values are texts, since a number of JSON does not hold every integer."""
        frame = self.spark.sql(result["as"])
        path = join(self.output, folder)
        texts = [text_of(field).alias(field.name) for field in frame.schema.fields]
        frame.select(texts).write.mode("overwrite").option("compression", "gzip").json(path)
        columns = [{"name": field.name, "type": field.dataType.typeName()} for field in frame.schema.fields]
        return {"folder": folder, "columns": columns, "rows": self.spark.read.text(path).count()}


def text_of(field):
    column = F.col(f"`{field.name.replace('`', '``')}`")
    kind = field.dataType.typeName()
    if kind in ("variant", "array", "map", "struct"):
        return F.to_json(column)
    return F.base64(column) if kind == "binary" else column.cast("string")


def resolve_source(files, arguments, plan):
    """The exports that the arguments name, or else those of the plan."""
    if arguments.latest is not None:
        return [find_latest_export(files, arguments.latest)]
    # AWS Glue passes an argument once, so its value may be a list.
    source = [path for value in arguments.source or [] for path in value.split(",")] or plan["source"]
    if not source:
        raise PlanError("batch.source", "the plan names no export; add --from or --latest.")
    return source


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", required=True, help="the plan: a file, or an address such as s3://bucket/plan.json")
    parser.add_argument("--output", required=True, help="folder of the results")
    sources = parser.add_mutually_exclusive_group()
    sources.add_argument("--from", dest="source", action="append", help="export to read, instead of that of the plan")
    sources.add_argument("--latest", help="folder of exports; the newest complete full export below it is read")
    # AWS Glue adds arguments of its own.
    arguments, _ = parser.parse_known_args()
    spark = create_session()
    try:
        if int(spark.version.split(".")[0]) < 4:
            raise PlanError("batch.spark", f"Spark is {spark.version}; use Spark 4.0 or later.")
        if spark.conf.get("spark.sql.globalTempDatabase") != PHYSICAL:
            raise PlanError("batch.spark", "the session of Spark exists already; start the program in a new one.")
        plan = json.loads(Files(spark).read(arguments.plan))
        if plan["version"] != PLAN_VERSION:
            raise PlanError("batch.spark", "the plan is of another version of edgewise; make the package again.")
        Run(spark, plan, arguments.output).run(resolve_source(Files(spark), arguments, plan))
    except PlanError as error:
        # The line that edgewise looks for in the output of a run.
        print(f"edgewise {error.code}: {error}", file=sys.stderr)
        sys.exit(1)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
