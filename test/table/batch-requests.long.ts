import { describe, expect, test } from 'vitest'
import { cloudFormation } from '../../src/table/export/cloudformation/template.js'
import { EXPORTED } from './designs.js'
import { python } from './validators.js'

/**
 * The errors of botocore for the request of each schedule. EventBridge Scheduler takes the names of the API with a
 * capital. Botocore has service names of its own.
 */
const VALIDATE = `
import json, sys
from botocore import session
from botocore.validate import ParamValidator
made, faults = session.get_session(), []
services = {'emrserverless': 'emr-serverless'}
def renamed(value, shape):
    if shape.type_name == 'list':
        return [renamed(one, shape.member) for one in value]
    if shape.type_name != 'structure':
        return value
    names = {name[0].upper() + name[1:]: name for name in shape.members}
    return {names.get(name, name): renamed(one, shape.members[names[name]]) if name in names else one for name, one in value.items()}
for call in json.load(sys.stdin):
    model = made.get_service_model(services.get(call['service'], call['service']))
    operation = call['operation'][0].upper() + call['operation'][1:]
    shape = model.operation_model(operation).input_shape
    report = ParamValidator().validate(renamed(call['request'], shape), shape)
    if report.has_errors():
        faults.append(operation + ': ' + report.generate_report())
print(json.dumps(faults))
`

interface Call {
  readonly service: string
  readonly operation: string
  readonly request: object
}

/** The request of each schedule of a template, with texts in place of references. */
function requestsOf(resources: ReturnType<typeof cloudFormation>['Resources']): Call[] {
  return Object.values(resources).flatMap(({ Type, Properties }) => {
    if (Type !== 'AWS::Scheduler::Schedule') return []
    const target = Properties.Target as Record<'Arn' | 'Input', { 'Fn::Sub': string }>
    const [service, operation] = target.Arn['Fn::Sub'].split(':').slice(-2) as [string, string]
    const text = target.Input['Fn::Sub'].replace(/\$\{[\w.]+\}/g, 'arn:aws:iam::123456789012:role/batch')
    return [{ service, operation, request: JSON.parse(text) }]
  })
}

const faults = (calls: readonly Call[]): string[] => JSON.parse(python(VALIDATE, JSON.stringify(calls)))

describe('the requests of schedules', () => {
  const calls = EXPORTED.flatMap(({ design, options }) => requestsOf(cloudFormation(design, options).Resources))

  test('botocore accepts the requests that export tables and start batches', () => {
    expect(calls.map(({ operation }) => operation)).toEqual([
      ...['exportTableToPointInTime', 'startJobRun', 'exportTableToPointInTime', 'startJobRun'],
      'startJobRun',
    ])
    expect(faults(calls)).toEqual([])
  })

  test('botocore rejects a request with an unknown or a missing member, which shows that it validates', () => {
    const { ClientToken, ...rest } = calls[1]!.request as Record<string, unknown>
    const wrong = [{ ...calls[1]!, request: { ...rest, Client: ClientToken } }]
    expect(faults(wrong).join()).toMatch(/Missing required parameter in input: "clientToken".*Unknown parameter/s)
  })
})
