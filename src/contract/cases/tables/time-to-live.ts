import type { TimeToLiveStatus } from '../../../dynamodb/operation-types.js'
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

/** The service applies a change with a delay. */
const IN: Record<'ENABLED' | 'DISABLED', readonly (TimeToLiveStatus | undefined)[]> = {
  ENABLED: ['ENABLING', 'ENABLED'],
  DISABLED: ['DISABLING', 'DISABLED'],
}

const updateCases = defineCases('updateTimeToLive', {
  'the response repeats the request': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { TimeToLiveSpecification } = await bench.store.updateTimeToLive({
      TableName,
      TimeToLiveSpecification: expiring,
    })
    expectEqual(TimeToLiveSpecification, expiring)
  },

  'enabling an enabled setting is rejected': async bench => {
    const TableName = await createExpiringTable(bench)
    await expectValidationError(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring }),
      'TimeToLive is already enabled',
    )
  },

  'disabling a disabled setting is rejected': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectValidationError(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: { ...expiring, Enabled: false } }),
      'TimeToLive is already disabled',
    )
  },

  'a second attribute is rejected while one is enabled': async bench => {
    const TableName = await createExpiringTable(bench)
    await expectValidationError(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' } }),
      'TimeToLive is active on a different AttributeName: current AttributeName is expires',
    )
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    expectEqual(TimeToLiveDescription!.AttributeName, 'expires')
  },

  'the setting can be disabled again': async bench => {
    const TableName = await createExpiringTable(bench)
    const TimeToLiveSpecification = { ...expiring, Enabled: false }
    const answer = await bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification })
    expectEqual(answer.TimeToLiveSpecification, TimeToLiveSpecification)
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    expectEqual(IN.DISABLED.includes(TimeToLiveDescription!.TimeToLiveStatus), true)
  },

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },
})

const describeCases = defineCases('describeTimeToLive', {
  'a new table has no expiry attribute': async bench => {
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({
      TableName: await bench.sharedTable('hash'),
    })
    expectEqual(TimeToLiveDescription, { TimeToLiveStatus: 'DISABLED' })
  },

  'a table with expiry describes its attribute': async bench => {
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

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.describeTimeToLive({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },
})

export const timeToLiveCases = [...updateCases, ...describeCases]
