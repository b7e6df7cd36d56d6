import type { IndexDesign, TableDesign } from '../../src/layout/design.js'
import type { ProductionOptions } from '../../src/table/production/production.js'

/** A global index on its own key attributes. */
export function global(name: string, more: Partial<IndexDesign> = {}): IndexDesign {
  return {
    name,
    kind: 'global',
    partition: [`${name}PK`],
    sort: [`${name}SK`],
    project: 'all',
    serves: ['the roles of an actor'],
    ...more,
  }
}

export function local(name: string, more: Partial<IndexDesign> = {}): IndexDesign {
  return {
    name,
    kind: 'local',
    partition: ['PK'],
    sort: [`${name}SK`],
    project: 'keys',
    serves: ['the roles of a movie by year'],
    ...more,
  }
}

/** A small on-demand table with changes. By default its attributes are those of its keys. */
export function designed(changes: Partial<TableDesign> = {}): TableDesign {
  const design: Omit<TableDesign, 'attributes'> = {
    name: 'cinema',
    keys: { partition: 'PK', sort: 'SK' },
    indexes: [global('GSI1')],
    capacity: 'on-demand',
    stream: 'none',
    expires: undefined,
    tenant: false,
    kinds: [],
    ...changes,
  }
  const names = [...Object.values(design.keys), ...design.indexes.flatMap(index => [...index.partition, ...index.sort])]
  return { ...design, attributes: changes.attributes ?? Object.fromEntries(names.map(name => [name, 'S'])) }
}

/** A design that uses every feature. */
export const EVERYTHING = designed({
  indexes: [
    global('GSI1', { capacity: { read: 20, write: 10 } }),
    global('GSI_2', { partition: ['country', 'state'], sort: ['city', 'zip'], project: ['name', 'born'] }),
    global('inverted', { partition: ['SK'], sort: ['PK'], project: 'keys' }),
    local('LSI1'),
  ],
  attributes: {
    PK: 'S',
    SK: 'S',
    GSI1PK: 'S',
    GSI1SK: 'S',
    country: 'S',
    state: 'S',
    city: 'S',
    zip: 'N',
    LSI1SK: 'B',
  },
  capacity: { read: 5, write: 5 },
  stream: 'both',
  expires: 'expiresAt',
  tenant: true,
  fingerprint: '$edgewise',
})

export const PRODUCTION = {
  table: 'cinema-production',
  encryption: { keyArn: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab' },
  tags: { team: 'films', 'cost-center': `"42" \${x} it's` },
  alarms: { actionArns: ['arn:aws:sns:eu-west-1:123456789012:oncall'], consumer: 'cinema-consumer' },
  contributorInsights: true,
} as const

const FUNCTION = 'arn:aws:lambda:eu-west-1:123456789012:function:keep'

/** The designs and options that the exports are tested with. */
export const EXPORTED: readonly { message: string; design: TableDesign; options: ProductionOptions }[] = [
  { message: 'a small table', design: designed(), options: {} },
  { message: 'a table without indexes', design: designed({ indexes: [] }), options: { table: 'plain' } },
  {
    message: 'a table without a sort key, of numbers',
    design: designed({ keys: { partition: 'no' }, attributes: { no: 'N', GSI1PK: 'S', GSI1SK: 'N' } }),
    options: {},
  },
  { message: 'a table with everything', design: EVERYTHING, options: PRODUCTION },
  {
    message: 'a table with nothing that is optional',
    design: designed({ capacity: { read: 1, write: 1 }, stream: 'keys' }),
    options: { recovery: false, deletionProtection: false, autoscaling: false, alarms: false, scan: true },
  },
  {
    message: 'a table whose stream a function consumes',
    design: designed({ stream: 'both' }),
    options: { consumer: { function: FUNCTION, role: 'keeper', parallelization: 4 } },
  },
  {
    message: 'a table whose stream a function consumes, with a queue of its own',
    design: designed({ stream: 'both' }),
    options: {
      deletionProtection: false,
      consumer: { function: FUNCTION, queueArn: 'arn:aws:sqs:eu-west-1:123456789012:failed' },
    },
  },
  {
    message: "a table under the account's key",
    design: designed({ tenant: true }),
    options: { encryption: 'aws-managed', recovery: { days: 7 } },
  },
  {
    message: 'a table with a nightly batch',
    design: designed(),
    options: { batch: { bucket: 'cinema-batch' } },
  },
  {
    message: 'a table with everything, a consumer and a batch',
    design: EVERYTHING,
    options: {
      ...PRODUCTION,
      tags: { team: 'films' },
      consumer: { function: FUNCTION, role: 'keeper' },
      batch: {
        ...{ bucket: 'cinema-batch', prefix: 'graphs/cinema' },
        ...{ schedule: 'cron(30 4 ? * MON-FRI *)', exportSchedule: 'rate(12 hours)', timezone: 'Europe/Berlin' },
        ...{ release: 'emr-7.12.0', maxVcpus: 400, timeoutMinutes: 90 },
      },
    },
  },
  {
    message: 'a table with a batch over exports of another schedule, without alarms',
    design: designed({ keys: { partition: 'no' }, attributes: { no: 'N', GSI1PK: 'S', GSI1SK: 'N' } }),
    options: {
      alarms: false,
      recovery: false,
      batch: { bucket: 'cinema-batch', schedule: 'rate(1 day)', exportSchedule: false },
    },
  },
]

/** Whether an export has calls of the AWS CLI: a batch has none. */
export const hasCliCommands = ({ options }: { readonly options: ProductionOptions }) => options.batch === undefined
