/** Differences between the service and its description, in which the model follows the service. */
export const KNOWN_DIFFERENCES: readonly { lines: RegExp; reason: string }[] = [
  {
    lines: /TableName: only (ours has (min 3|max 255|pattern)|theirs has min 1)/,
    reason: 'a table that is not given by its ARN must have a name, which is checked as such',
  },
  {
    lines: /RequestItems keys: only (ours has (min 3|max 255|pattern)|theirs has (min 1|max 1024))/,
    reason: 'the tables of a batch must have names, which are checked as such',
  },
  {
    lines: /( keys|ExpressionAttributeNames\.\*|AttributesToGet\.\[\]): only theirs has max 65535/,
    reason: 'the length of attribute names is checked later, in other words',
  },
  {
    lines:
      /^(CreateTable (LocalSecondaryIndexes\.\[\]\.)?|Restore\w+ LocalSecondaryIndexOverride\.\[\]\.|ImportTable TableCreationParameters\.)KeySchema: only ours has max 2$/,
    reason: 'the key of a table or local index has two parts at most',
  },
  {
    lines:
      /^(CreateTable GlobalSecondaryIndexes\.\[\]|UpdateTable GlobalSecondaryIndexUpdates\.\[\]\.Create|Restore\w+ GlobalSecondaryIndexOverride\.\[\]|ImportTable TableCreationParameters\.GlobalSecondaryIndexes\.\[\])\.KeySchema: only ours has max 8$/,
    reason: 'the key of a global index has four partition and four sort parts at most',
  },
  {
    lines: /^CreateTable (KeySchema|AttributeDefinitions): only ours has required$/,
    reason: 'only the replica of another table is created without a schema, which is not done here',
  },
  {
    lines: /KMSMasterKeyId: only ours has min 1$/,
    reason: 'an empty id of a key is refused',
  },
  {
    lines: /(Tags\.\[\]\.(Key|Value)|TagKeys\.\[\]): only theirs has /,
    reason: 'tags are checked later, in other words',
  },
  {
    lines: /ResourceArn: only theirs has min 1$/,
    reason: 'an empty ARN is refused in other words',
  },
  {
    lines: / BackupArn: only theirs has min 37$/,
    reason: 'an ARN that is too short for a backup is refused as one that is none',
  },
  {
    lines: /^DeleteItem ReturnValues: only ours has enum ALL_OLD NONE$/,
    reason: 'the service refuses others in the model with the rest of a deletion, and not when it is done',
  },
]
