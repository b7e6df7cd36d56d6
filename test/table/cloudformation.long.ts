import { describe, expect, test } from 'vitest'
import { cloudFormation } from '../../src/table/export/cloudformation/template.js'
import { EXPORTED } from './designs.js'
import { python } from './validators.js'

/** Every rule, notices too, but for I4010: it asks each resource for an essay in its metadata. */
const LINT = `
import json, sys
from cfnlint import api
matches = api.lint_all(sys.stdin.read())
print(json.dumps([str(match) for match in matches if match.rule.id != 'I4010']))
`

describe('cfn-lint', () => {
  test.each(EXPORTED)('finds nothing in the template of $message', ({ design, options }) => {
    const template = JSON.stringify(cloudFormation(design, options), null, 2)
    expect(JSON.parse(python(LINT, template))).toEqual([])
  })

  test('finds what is wrong in a template, so that its silence says something', () => {
    const { design } = EXPORTED[0]!
    const template = JSON.stringify(cloudFormation(design)).replace('"HASH"', '"HASHED"')
    expect(JSON.parse(python(LINT, template)).join()).toContain("'HASH' was expected")
  })
})
