import { cases } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

const StreamArn = 'arn:aws:kinesis:us-east-1:123456789012:stream/none'

const noTable = (name: string) =>
  ['ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`] as const

const describeCases = cases('describeKinesisStreamingDestination', {
  'a new table has no destination': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const told = await bench.service.describeKinesisStreamingDestination({ TableName })
    same([told.TableName, told.KinesisDataStreamDestinations], [TableName, []])
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(bench.service.describeKinesisStreamingDestination({ TableName }), ...noTable(TableName))
  },
})

const enableCases = cases('enableKinesisStreamingDestination', {
  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(bench.service.enableKinesisStreamingDestination({ TableName, StreamArn }), ...noTable(TableName))
  },
})

const disableCases = cases('disableKinesisStreamingDestination', {
  'a destination that there is not cannot be disabled': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await invalid(
      bench.service.disableKinesisStreamingDestination({ TableName, StreamArn }),
      'Table is not in a valid state to enable Kinesis Streaming Destination: ' +
        'KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.',
    )
  },

  'a destination is disabled without a configuration': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const EnableKinesisStreamingConfiguration = { ApproximateCreationDateTimePrecision: 'MICROSECOND' } as const
    await invalid(
      bench.service.disableKinesisStreamingDestination({ TableName, StreamArn, EnableKinesisStreamingConfiguration }),
      'Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters',
    )
  },
})

export const kinesisCases = [...describeCases, ...enableCases, ...disableCases]
