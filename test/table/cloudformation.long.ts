import { describe, expect, test } from 'vitest'
import { cloudFormation } from '../../src/table/export/cloudformation/template.js'
import { EXPORTED } from './designs.js'
import { python } from './validators.js'

/** All rules and notices except I4010, which demands an essay in the metadata of each resource. */
const LINT = `
import json, sys
from cfnlint import api
matches = api.lint_all(sys.stdin.read())
print(json.dumps([str(match) for match in matches if match.rule.id != 'I4010']))
`

describe('cfn-lint', () => {
  test.each(EXPORTED)('cfn-lint accepts the template of $message', ({ design, options }) => {
    const template = JSON.stringify(cloudFormation(design, options), null, 2)
    expect(JSON.parse(python(LINT, template))).toEqual([])
  })

  test('cfn-lint reports an invalid template, which shows that it validates', () => {
    const { design } = EXPORTED[0]!
    const template = JSON.stringify(cloudFormation(design)).replace('"HASH"', '"HASHED"')
    expect(JSON.parse(python(LINT, template)).join()).toContain("'HASH' was expected")
  })
})
