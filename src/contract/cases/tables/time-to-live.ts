import type { TimeToLiveStatus } from '../../../dynamodb/operations/time-to-live.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

const expiring = { Enabled: true, AttributeName: 'expires' }

async function createExpiringTable(bench: TestBench): Promise<string> {
  const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
  await bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring })
  return TableName
}

/** The service takes its time for a change. */
const IN: Record<'ENABLED' | 'DISABLED', readonly (TimeToLiveStatus | undefined)[]> = {
  ENABLED: ['ENABLING', 'ENABLED'],
  DISABLED: ['DISABLING', 'DISABLED'],
}

const updateCases = defineCases('updateTimeToLive', {
  'the answer repeats what was asked for': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { TimeToLiveSpecification } = await bench.store.updateTimeToLive({
      TableName,
      TimeToLiveSpecification: expiring,
    })
    expectEqual(TimeToLiveSpecification, expiring)
  },

  'enabling what is enabled is refused': async bench => {
    const TableName = await createExpiringTable(bench)
    await expectValidationError(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring }),
      'TimeToLive is already enabled',
    )
  },

  'disabling what is disabled is refused': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectValidationError(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: { ...expiring, Enabled: false } }),
      'TimeToLive is already disabled',
    )
  },

  'another attribute is refused while one is enabled': async bench => {
    const TableName = await createExpiringTable(bench)
    await expectValidationError(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' } }),
      'TimeToLive is active on a different AttributeName: current AttributeName is expires',
    )
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    expectEqual(TimeToLiveDescription!.AttributeName, 'expires')
  },

  'it can be disabled again': async bench => {
    const TableName = await createExpiringTable(bench)
    const TimeToLiveSpecification = { ...expiring, Enabled: false }
    const answer = await bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification })
    expectEqual(answer.TimeToLiveSpecification, TimeToLiveSpecification)
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    expectEqual(IN.DISABLED.includes(TimeToLiveDescription!.TimeToLiveStatus), true)
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },
})

const describeCases = defineCases('describeTimeToLive', {
  'a new table has none': async bench => {
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({
      TableName: await bench.sharedTable('hash'),
    })
    expectEqual(TimeToLiveDescription, { TimeToLiveStatus: 'DISABLED' })
  },

  'a table that has it tells by which attribute': async bench => {
    const TableName = await createExpiringTable(bench)
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    expectEqual(TimeToLiveDescription!.AttributeName, 'expires')
    expectEqual(IN.ENABLED.includes(TimeToLiveDescription!.TimeToLiveStatus), true)
  },

  'an expired item can still be read': async bench => {
    const TableName = await createExpiringTable(bench)
    const item = { a: { S: 'a' }, expires: { N: String(Math.floor(Date.now() / 1000) - 60) } }
    await bench.put(TableName, item)
    expectEqual(await bench.get(TableName, { a: { S: 'a' } }), item)
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.describeTimeToLive({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },
})

export const timeToLiveCases = [...updateCases, ...describeCases]
