import { POLICY_REVISION_CHARACTERS, RESOURCE_POLICY_BYTES } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

const NOT_FOUND = 'Resource-based policy not found for the provided ResourceArn: '

async function createTableArn(bench: TestBench): Promise<string> {
  const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
  return (await bench.store.describeTable({ TableName })).Table!.TableArn!
}

/** A policy in the service's form, which allows the table's account an action. */
function policyOf(arn: string, Action = 'dynamodb:GetItem'): string {
  const Principal = { AWS: `arn:aws:iam::${arn.split(':')[4]}:root` }
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal, Action, Resource: arn }],
  })
}

const putCases = defineCases('putResourcePolicy', {
  'an equal policy keeps the revision': async bench => {
    const ResourceArn = await createTableArn(bench)
    const Policy = policyOf(ResourceArn)
    const { RevisionId } = await bench.service.putResourcePolicy({ ResourceArn, Policy })
    const spaced = JSON.stringify(JSON.parse(Policy), null, 2)
    expectEqual((await bench.service.putResourcePolicy({ ResourceArn, Policy: spaced })).RevisionId, RevisionId)
  },

  'a policy is replaced only if the expected revision matches': withCoverage(
    ['limit:POLICY_REVISION_CHARACTERS'],
    async bench => {
      const ResourceArn = await createTableArn(bench)
      const ExpectedRevisionId = '1'.repeat(POLICY_REVISION_CHARACTERS)
      await expectRejection(
        bench.service.putResourcePolicy({ ResourceArn, Policy: policyOf(ResourceArn), ExpectedRevisionId }),
        'PolicyNotFoundException',
        new RegExp(`^${NOT_FOUND}Requested update for policy with revision id ${ExpectedRevisionId}, but table `),
      )
    },
  ),

  'a policy has no more than 20 KB': withCoverage(['limit:RESOURCE_POLICY_BYTES'], async bench => {
    const ResourceArn = await createTableArn(bench)
    const Policy = policyOf(ResourceArn).padEnd(RESOURCE_POLICY_BYTES + 1, ' ')
    await expectValidationError(
      bench.service.putResourcePolicy({ ResourceArn, Policy }),
      'One or more parameter values were invalid: Maximum policy size of 20480 bytes exceeded',
    )
  }),

  'a policy that is not JSON is rejected': async bench => {
    const ResourceArn = await createTableArn(bench)
    await expectValidationError(
      bench.service.putResourcePolicy({ ResourceArn, Policy: '{not json' }),
      'One or more parameter values were invalid: Invalid policy document: This policy contains invalid Json',
    )
  },
})

const getCases = defineCases('getResourcePolicy', {
  'a policy is returned unchanged': async bench => {
    const ResourceArn = await createTableArn(bench)
    const Policy = policyOf(ResourceArn)
    const { RevisionId } = await bench.service.putResourcePolicy({ ResourceArn, Policy })
    await bench.eventually(async () => {
      const answer = await bench.service.getResourcePolicy({ ResourceArn })
      expectEqual([answer.Policy, answer.RevisionId], [Policy, RevisionId])
    })
  },

  'a table without a policy has none': async bench => {
    const ResourceArn = await createTableArn(bench)
    await expectRejection(
      bench.service.getResourcePolicy({ ResourceArn }),
      'PolicyNotFoundException',
      NOT_FOUND + ResourceArn,
    )
  },
})

const deleteCases = defineCases('deleteResourcePolicy', {
  'deleting a missing policy does nothing': async bench => {
    const ResourceArn = await createTableArn(bench)
    expectEqual((await bench.service.deleteResourcePolicy({ ResourceArn })).RevisionId, undefined)
  },

  'a missing table is named in the error': async bench => {
    const missing = `${await createTableArn(bench)}_missing`
    await expectRejection(
      bench.service.deleteResourcePolicy({ ResourceArn: missing }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${missing.split('/')[1]} not found`,
    )
  },
})

export const resourcePolicyCases = [...putCases, ...getCases, ...deleteCases]
