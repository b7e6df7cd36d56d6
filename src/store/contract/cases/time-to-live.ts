import type { TimeToLiveStatus } from '../../../dynamodb/operations/time-to-live.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

const expiring = { Enabled: true, AttributeName: 'expires' }

async function enabledTable(bench: Bench): Promise<string> {
  const TableName = await bench.ownTable(SINGLE)
  await bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring })
  return TableName
}

/** The service takes its time for a change. */
const IN: Record<'ENABLED' | 'DISABLED', readonly (TimeToLiveStatus | undefined)[]> = {
  ENABLED: ['ENABLING', 'ENABLED'],
  DISABLED: ['DISABLING', 'DISABLED'],
}

const updateCases = cases('updateTimeToLive', {
  'the answer repeats what was asked for': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { TimeToLiveSpecification } = await bench.store.updateTimeToLive({
      TableName,
      TimeToLiveSpecification: expiring,
    })
    same(TimeToLiveSpecification, expiring)
  },

  'enabling what is enabled is refused': async bench => {
    const TableName = await enabledTable(bench)
    await invalid(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring }),
      'TimeToLive is already enabled',
    )
  },

  'disabling what is disabled is refused': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await invalid(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: { ...expiring, Enabled: false } }),
      'TimeToLive is already disabled',
    )
  },

  'another attribute is refused while one is enabled': async bench => {
    const TableName = await enabledTable(bench)
    await invalid(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'other' } }),
      'TimeToLive is active on a different AttributeName: current AttributeName is expires',
    )
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    same(TimeToLiveDescription!.AttributeName, 'expires')
  },

  'it can be disabled again': async bench => {
    const TableName = await enabledTable(bench)
    const TimeToLiveSpecification = { ...expiring, Enabled: false }
    const answer = await bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification })
    same(answer.TimeToLiveSpecification, TimeToLiveSpecification)
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    same(IN.DISABLED.includes(TimeToLiveDescription!.TimeToLiveStatus), true)
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(
      bench.store.updateTimeToLive({ TableName, TimeToLiveSpecification: expiring }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },
})

const describeCases = cases('describeTimeToLive', {
  'a new table has none': async bench => {
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName: await bench.table('hash') })
    same(TimeToLiveDescription, { TimeToLiveStatus: 'DISABLED' })
  },

  'a table that has it tells by which attribute': async bench => {
    const TableName = await enabledTable(bench)
    const { TimeToLiveDescription } = await bench.store.describeTimeToLive({ TableName })
    same(TimeToLiveDescription!.AttributeName, 'expires')
    same(IN.ENABLED.includes(TimeToLiveDescription!.TimeToLiveStatus), true)
  },

  'an expired item can still be read': async bench => {
    const TableName = await enabledTable(bench)
    const item = { a: { S: 'a' }, expires: { N: String(Math.floor(Date.now() / 1000) - 60) } }
    await bench.put(TableName, item)
    same(await bench.get(TableName, { a: { S: 'a' } }), item)
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(
      bench.store.describeTimeToLive({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },
})

export const timeToLiveCases = [...updateCases, ...describeCases]
