/** The limits and sizes of DynamoDB, each defined in one place. */
export const ITEM_BYTES = 400 * 1024
export const PARTITION_KEY_BYTES = 2048
export const SORT_KEY_BYTES = 1024
export const PAGE_BYTES = 1024 * 1024
export const BATCH_GET_KEYS = 100
export const BATCH_GET_BYTES = 16 * 1024 * 1024
/** The limit on the items with one partition key. */
export const BATCH_GET_PARTITION_BYTES = 1024 * 1024
export const BATCH_WRITE_ITEMS = 25
export const BATCH_WRITE_BYTES = 16 * 1024 * 1024
export const TRANSACT_ITEMS = 100
export const TRANSACT_BYTES = 4 * 1024 * 1024
export const TRANSACT_TOKEN_MS = 10 * 60 * 1000
export const TRANSACT_TOKEN_CHARACTERS = 36
export const BATCH_STATEMENTS = 25
export const STATEMENT_CHARACTERS = 8192
export const NEXT_TOKEN_CHARACTERS = 32_768
export const EXPRESSION_BYTES = 4096
export const EXPRESSION_OPERATORS = 300
export const EXPRESSION_IN_VALUES = 100
export const EXPRESSION_VALUES_BYTES = 2 * 1024 * 1024
export const ATTRIBUTE_NAME_BYTES = 65_535
export const NESTING_LEVELS = 32
export const NUMBER_DIGITS = 38
export const NUMBER_EXPONENT_MAX = 125
export const NUMBER_EXPONENT_MIN = -130
export const GLOBAL_INDEXES = 20
export const LOCAL_INDEXES = 5
export const INDEX_INCLUDED_ATTRIBUTES = 20
export const TABLE_INCLUDED_ATTRIBUTES = 100
export const INDEX_KEY_PARTS = 4
export const LIST_TABLES_NAMES = 100
export const LIST_INSIGHTS = 100
export const SCAN_SEGMENTS = 1_000_000
export const READ_UNIT_BYTES = 4096
export const WRITE_UNIT_BYTES = 1024
export const STORAGE_OVERHEAD_BYTES = 100
export const NAME_CHARACTERS_MAX = 255
export const NAME_CHARACTERS_MIN = 3
export const TABLE_NAME_OR_ARN_CHARACTERS = 1024
export const TABLE_KEY_PARTS = 2
/** Most operations on one item reject deeper values before they check any other. */
export const REQUEST_NESTING_LEVELS = 62
export const CAPACITY_UNITS_MAX = 1_000_000_000_000
export const ON_DEMAND_INITIAL_READ_UNITS = 12_000
export const ON_DEMAND_INITIAL_WRITE_UNITS = 4_000
export const VECTOR_INDEXES = 5
export const VECTOR_DIMENSIONS = 4096
/** The number of attributes by which searches of an index can filter. */
export const VECTOR_FILTERS = 18
/** The minimum billed for a search, or for a write of an entry. */
export const VECTOR_REQUEST_BYTES = 1024
export const VECTOR_RESULTS = 100
export const TABLE_TAGS = 50
export const TABLE_TAGS_BYTES = 10 * 1024
export const TAG_KEY_CHARACTERS = 128
export const TAG_VALUE_CHARACTERS = 256
/** In a table with local indexes, the limit on the items of one partition key with their index entries. */
export const ITEM_COLLECTION_BYTES = 10 * 1024 ** 3
export const PARTITION_WRITE_UNITS = 1000
export const PARTITION_READ_UNITS = 3000
export const RESOURCE_ARN_CHARACTERS = 1283
/** The limit on the policy document as sent, whitespace included. */
export const RESOURCE_POLICY_BYTES = 20 * 1024
export const POLICY_REVISION_CHARACTERS = 255
export const RECOVERY_DAYS = 35
export const BACKUP_ARN_CHARACTERS_MIN = 37
export const BACKUP_ARN_CHARACTERS_MAX = 1024
export const LIST_BACKUPS = 100
/** The limit on concurrent restores of an account. */
export const RESTORES = 50
export const ACCOUNT_CAPACITY_UNITS = 80_000
export const TABLE_CAPACITY_UNITS = 40_000
/** The limits on decreases of provisioned capacity: a number per day, then one per interval. */
export const CAPACITY_DECREASES = 4
export const CAPACITY_DECREASE_MS = 3600 * 1000
export const REPLICA_SETTINGS = 50
export const SCALING_ROLE_CHARACTERS = 1600
export const SCALING_POLICY_NAME_CHARACTERS = 256
export const STREAM_RETENTION_MS = 24 * 3600 * 1000
export const SHARD_ITERATOR_MS = 15 * 60 * 1000
export const SHARD_ITERATOR_CHARACTERS = 2048
export const GET_RECORDS = 1000
export const GET_RECORDS_BYTES = 1024 * 1024
export const LIST_STREAMS = 100
export const DESCRIBE_STREAM_SHARDS = 100
export const STREAM_ARN_CHARACTERS_MIN = 37
export const STREAM_ARN_CHARACTERS_MAX = 1024
export const SHARD_ID_CHARACTERS_MIN = 28
export const SHARD_ID_CHARACTERS_MAX = 65
export const SEQUENCE_NUMBER_CHARACTERS_MIN = 21
export const SEQUENCE_NUMBER_CHARACTERS_MAX = 40
/** Of the ARN of an export or an import. */
export const TRANSFER_ARN_CHARACTERS_MIN = 37
export const TRANSFER_ARN_CHARACTERS_MAX = 1024
export const LIST_EXPORTS = 25
export const LIST_IMPORTS = 25
/** The page size of ListExports and ListImports without one in the request. */
export const LIST_TRANSFERS_DEFAULT = 10
export const IMPORT_TOKEN_CHARACTERS_MIN = 112
export const IMPORT_TOKEN_CHARACTERS_MAX = 1024
/** Concurrent exports of an account. */
export const EXPORTS_AT_ONCE = 300
/** Concurrent imports of an account. */
export const IMPORTS_AT_ONCE = 50
export const INCREMENTAL_EXPORT_MS_MIN = 15 * 60 * 1000
export const INCREMENTAL_EXPORT_MS_MAX = 24 * 3600 * 1000
/** After its first request is complete, a client token of an export or an import is valid for this long. */
export const TRANSFER_TOKEN_MS = 8 * 3600 * 1000
export const IMPORT_ERRORS_LOGGED = 10_000
export const CSV_HEADERS = 255
export const CSV_HEADER_CHARACTERS = 65_536
export const S3_BUCKET_CHARACTERS = 255
export const S3_PREFIX_CHARACTERS = 1024
export const SSE_KEY_ID_CHARACTERS = 2048
