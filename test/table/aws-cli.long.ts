import { describe, expect, test } from 'vitest'
import { diff } from '../../src/table/diff/difference.js'
import { type CliCommand, cliCommands } from '../../src/table/export/aws-cli/commands.js'
import { designed, EVERYTHING, EXPORTED, global, hasCliCommands } from './designs.js'
import { described } from './diff/live-table.js'
import { python } from './validators.js'

/** The errors of botocore, the validator of the AWS CLI, for each call. */
const VALIDATE = `
import json, sys
from botocore import session, xform_name
from botocore.validate import ParamValidator
made, faults = session.get_session(), []
for call in json.load(sys.stdin):
    model = made.get_service_model(call['service'])
    names = {xform_name(name, '-'): name for name in model.operation_names}
    shape = model.operation_model(names[call['command']]).input_shape
    given = dict(call['input'], EventSourceArn='arn:aws:dynamodb:x') if 'streamOf' in call else call['input']
    report = ParamValidator().validate(given, shape)
    if report.has_errors():
        faults.append(call['command'] + ': ' + report.generate_report())
print(json.dumps(faults))
`
const PLACE = { region: 'eu-west-1', account: '123456789012' }

function faults(commands: readonly CliCommand[]): string[] {
  const calls = commands.filter(({ command }) => !command.startsWith('wait '))
  return JSON.parse(python(VALIDATE, JSON.stringify(calls)))
}

describe('botocore', () => {
  test.each(EXPORTED.filter(hasCliCommands))(
    'botocore accepts every call of the AWS CLI for $message',
    ({ design, options }) => {
      expect(faults(cliCommands(design, { ...options, ...PLACE }))).toEqual([])
    },
  )

  test('botocore accepts every request of a difference', async () => {
    const from = designed({ indexes: [global('GSI1', { project: 'keys' }), global('old')], stream: 'keys' })
    const ttl = { TimeToLiveStatus: 'ENABLED', AttributeName: 'old' } as const
    const { steps } = diff(EVERYTHING, await described(from), { ttl })
    const commands = steps.map(({ operation, input }) => ({
      service: 'dynamodb',
      command: operation === 'UpdateTable' ? 'update-table' : 'update-time-to-live',
      input: { ...input },
    }))
    expect(commands.length).toBeGreaterThan(8)
    expect(faults(commands)).toEqual([])
  })

  test('botocore rejects an unknown member, which shows that it validates', () => {
    const input = { TableName: 'cinema', Enabled: true }
    expect(faults([{ service: 'dynamodb', command: 'update-table', input }]).join()).toContain(
      'Unknown parameter in input: "Enabled"',
    )
  })
})
