import { POLICY_REVISION_CHARACTERS, RESOURCE_POLICY_BYTES } from '../../../dynamodb/limits.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

const NOT_FOUND = 'Resource-based policy not found for the provided ResourceArn: '

async function tableArn(bench: Bench): Promise<string> {
  const TableName = await bench.ownTable(SINGLE)
  return (await bench.store.describeTable({ TableName })).Table!.TableArn!
}

/** A policy in the service's form, which lets the table's account do something. */
function policyOf(arn: string, Action = 'dynamodb:GetItem'): string {
  const Principal = { AWS: `arn:aws:iam::${arn.split(':')[4]}:root` }
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal, Action, Resource: arn }],
  })
}

const putCases = cases('putResourcePolicy', {
  'a policy has a revision, which one that says the same does not change': async bench => {
    const ResourceArn = await tableArn(bench)
    const Policy = policyOf(ResourceArn)
    const { RevisionId } = await bench.service.putResourcePolicy({ ResourceArn, Policy })
    const spaced = JSON.stringify(JSON.parse(Policy), null, 2)
    same((await bench.service.putResourcePolicy({ ResourceArn, Policy: spaced })).RevisionId, RevisionId)
  },

  'a policy is put only where the expected revision is there': covering(
    ['limit:POLICY_REVISION_CHARACTERS'],
    async bench => {
      const ResourceArn = await tableArn(bench)
      const ExpectedRevisionId = '1'.repeat(POLICY_REVISION_CHARACTERS)
      await refused(
        bench.service.putResourcePolicy({ ResourceArn, Policy: policyOf(ResourceArn), ExpectedRevisionId }),
        'PolicyNotFoundException',
        new RegExp(`^${NOT_FOUND}Requested update for policy with revision id ${ExpectedRevisionId}, but table `),
      )
    },
  ),

  'a policy has no more than 20 KB': covering(['limit:RESOURCE_POLICY_BYTES'], async bench => {
    const ResourceArn = await tableArn(bench)
    const Policy = policyOf(ResourceArn).padEnd(RESOURCE_POLICY_BYTES + 1, ' ')
    await invalid(
      bench.service.putResourcePolicy({ ResourceArn, Policy }),
      'One or more parameter values were invalid: Maximum policy size of 20480 bytes exceeded',
    )
  }),

  'what is no JSON is refused': async bench => {
    const ResourceArn = await tableArn(bench)
    await invalid(
      bench.service.putResourcePolicy({ ResourceArn, Policy: '{not json' }),
      'One or more parameter values were invalid: Invalid policy document: This policy contains invalid Json',
    )
  },
})

const getCases = cases('getResourcePolicy', {
  'a policy is answered as it was put': async bench => {
    const ResourceArn = await tableArn(bench)
    const Policy = policyOf(ResourceArn)
    const { RevisionId } = await bench.service.putResourcePolicy({ ResourceArn, Policy })
    await bench.eventually(async () => {
      const answer = await bench.service.getResourcePolicy({ ResourceArn })
      same([answer.Policy, answer.RevisionId], [Policy, RevisionId])
    })
  },

  'a table without a policy has none': async bench => {
    const ResourceArn = await tableArn(bench)
    await refused(bench.service.getResourcePolicy({ ResourceArn }), 'PolicyNotFoundException', NOT_FOUND + ResourceArn)
  },
})

const deleteCases = cases('deleteResourcePolicy', {
  'where there is no policy none is deleted': async bench => {
    const ResourceArn = await tableArn(bench)
    same((await bench.service.deleteResourcePolicy({ ResourceArn })).RevisionId, undefined)
  },

  'a table that is not there is named in the refusal': async bench => {
    const missing = `${await tableArn(bench)}_missing`
    await refused(
      bench.service.deleteResourcePolicy({ ResourceArn: missing }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${missing.split('/')[1]} not found`,
    )
  },
})

export const resourcePolicyCases = [...putCases, ...getCases, ...deleteCases]
