import { expect, it } from 'vitest'
import { graph, layout, node, string } from '../../src/index.js'
import {
  applicationPolicy,
  cdk,
  cliCommands,
  cliScript,
  cloudFormation,
  consumerPolicy,
  createTableInput,
  diff,
  terraform,
  timeToLiveInput,
} from '../../src/table/index.js'
import { designed } from './designs.js'

const DESIGN = designed({ stream: 'both', capacity: { read: 5, write: 5 } })
const PLACE = { region: 'eu-west-1', account: '123456789012' }

/** Every function with options, called with untyped options as from JavaScript. */
const TAKING: Record<string, (options: object) => unknown> = {
  cloudFormation: options => cloudFormation(DESIGN, options),
  cdk: options => cdk(DESIGN, options),
  terraform: options => terraform(DESIGN, options),
  cliCommands: options => cliCommands(DESIGN, { ...PLACE, ...options }),
  cliScript: options => cliScript(DESIGN, { ...PLACE, ...options }),
  applicationPolicy: options => applicationPolicy(DESIGN, options, {} as never),
  consumerPolicy: options => consumerPolicy(DESIGN, options, {} as never),
}

it.each(Object.entries(TAKING))('%s rejects an unknown option', (_, call) => {
  const wrong = [
    { tabel: 'production' },
    { recovery: { day: 3 } },
    { encryption: { key: 'arn' } },
    { autoscaling: { target: 70 } },
    { alarms: { throttle: 1 } },
    { consumer: { functoin: 'derive' } },
    { batch: { bucket: 'cinema', prefx: 'graphs' } },
  ]
  for (const options of wrong)
    expect(() => call(options)).toThrow(expect.objectContaining({ code: 'option.unknown', name: 'GraphError' }))
})

it.each(Object.entries(TAKING))('%s rejects an unknown value of an option', (_, call) => {
  const wrong = [
    // Neither a missing key nor a misspelled value may select the key of AWS.
    { encryption: 'arn:aws:kms:eu-west-1:123456789012:key/1' },
    { encryption: 'aws-manged' },
    { recovery: 7 },
    { recovery: null },
    { deletionProtection: 'false' },
    { autoscaling: 70 },
    { alarms: 'none' },
    { consumer: 'derive' },
    { batch: true },
    { batch: 's3://cinema' },
    { scan: 1 },
  ]
  for (const options of wrong) expect(() => call(options)).toThrow(expect.objectContaining({ code: 'call.argument' }))
})

it('the error for an invalid option lists the valid values', () => {
  expect(() => cloudFormation(DESIGN, { encryption: 'aws-manged' } as never)).toThrow(
    "encryption: 'aws-manged' is not a valid value; give 'aws-owned' or 'aws-managed' or { keyArn }.",
  )
})

it('exports reject an argument that is not a design, also with a table name', () => {
  const notes = layout(graph('notes', [node('note', { id: string() }, { id: 'id' })]))
  for (const call of [cloudFormation, cdk, terraform])
    expect(() => call(notes as never, { table: 'mine' })).toThrow(
      "design: the argument is not a table design; give the member 'design' of a layout.",
    )
})

it('the error for an unknown option lists the valid options', () => {
  expect(() => cloudFormation(DESIGN, { region: 'eu-west-1' } as never)).toThrow(
    "edgewise/table: there is no option 'region'; use only table, recovery, ",
  )
  expect(() => cliCommands(DESIGN, { ...PLACE, acount: '' } as never)).toThrow(
    "cliCommands: there is no option 'acount'; use only region, account, partition, table, ",
  )
})

it('undefined options have their defaults', () => {
  const options = { table: undefined, recovery: undefined, encryption: undefined, alarms: undefined } as object
  expect(cloudFormation(DESIGN, options)).toEqual(cloudFormation(DESIGN))
  expect(cloudFormation(DESIGN, { autoscaling: { most: undefined } } as object)).toEqual(cloudFormation(DESIGN))
  expect(cloudFormation(DESIGN, { alarms: { throttles: undefined } } as object)).toEqual(cloudFormation(DESIGN))
  const lambda = (more = {}) => cloudFormation(DESIGN, { consumer: { function: 'derive', ...more } })
  expect(lambda({ batchSize: undefined })).toEqual(lambda())
})

it('options that are not an object, and CLI options without region and account are rejected', () => {
  for (const call of [cloudFormation, cdk, terraform, cliCommands, cliScript, applicationPolicy, consumerPolicy])
    expect(() => call(DESIGN, null as never, {} as never)).toThrow(expect.objectContaining({ code: 'call.argument' }))
  for (const options of [undefined, {}, { region: 'eu-west-1' }])
    expect(() => cliCommands(DESIGN, options as never)).toThrow(expect.objectContaining({ code: 'call.argument' }))
})

it('diff rejects an unknown option', () => {
  const live = { ...createTableInput(DESIGN) }
  for (const options of [{ autoscale: true }, { protection: { recoverDays: 3 } }])
    expect(() => diff(DESIGN, live, options as never)).toThrow(expect.objectContaining({ code: 'option.unknown' }))
  expect(diff(DESIGN, live, { ttl: undefined, protection: undefined } as object)).toEqual(diff(DESIGN, live))
})

it('createTableInput and timeToLiveInput reject other arguments and unknown options', () => {
  const notes = graph('notes', [node('note', { id: string() }, { id: 'id' })])
  for (const call of [createTableInput, timeToLiveInput]) {
    for (const wrong of [notes, layout(notes), undefined])
      expect(() => call(wrong as never)).toThrow(
        "design: the argument is not a table design; give the member 'design' of a layout.",
      )
    expect(() => call(DESIGN, { tabel: 'mine' } as never)).toThrow(expect.objectContaining({ code: 'option.unknown' }))
    expect(() => call(DESIGN, null as never)).toThrow(expect.objectContaining({ code: 'call.argument' }))
  }
  expect(createTableInput(DESIGN, { table: undefined } as object)).toEqual(createTableInput(DESIGN))
})
