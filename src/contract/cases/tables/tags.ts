import {
  RESOURCE_ARN_CHARACTERS,
  TABLE_TAGS,
  TAG_KEY_CHARACTERS,
  TAG_VALUE_CHARACTERS,
} from '../../../dynamodb/limits.js'
import type { Tag } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, sortItems } from '../../fixtures/sized-items.js'
import { indexDefinition, SIMPLE_KEY_TABLE, withGlobalIndexes } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

async function createTableArn(bench: TestBench, ...Tags: Tag[]): Promise<string> {
  const TableName = await bench.createOwnTable({ ...SIMPLE_KEY_TABLE, Tags })
  return (await bench.store.describeTable({ TableName })).Table!.TableArn!
}

const tag = (Key: string, Value = 'v'): Tag => ({ Key, Value })

/** The service shows tags with a delay. */
async function expectTags(bench: TestBench, ResourceArn: string, ...tags: Tag[]): Promise<void> {
  await bench.eventually(async () => {
    const { Tags } = await bench.service.listTagsOfResource({ ResourceArn })
    expectEqual(sortItems(Tags), sortItems(tags))
  })
}

const INVALID = 'One or more parameter values were invalid: '
const NO_TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/'

const tagCases = defineCases('tagResource', {
  'tags are added, and a tag replaces another with the same key': async bench => {
    const ResourceArn = await createTableArn(bench, tag('first', '1'), tag('kept'))
    await bench.eventually(() => bench.service.tagResource({ ResourceArn, Tags: [tag('first', '2'), tag('new', '')] }))
    await expectTags(bench, ResourceArn, tag('first', '2'), tag('kept'), tag('new', ''))
  },

  'an empty list of tags is rejected': async bench => {
    const ResourceArn = await createTableArn(bench)
    await expectValidationError(
      bench.service.tagResource({ ResourceArn, Tags: [] }),
      'Atleast one Tag needs to be provided as Input.',
    )
  },

  'invalid tags are rejected': async bench => {
    const ResourceArn = await createTableArn(bench)
    const refuses = (Tags: Tag[], message: string) =>
      expectValidationError(bench.service.tagResource({ ResourceArn, Tags }), message)
    await refuses([tag('AWS:some')], 'Tag Key cannot be prefixed with aws:, Key: AWS:some')
    await refuses([tag('bad#')], 'The Tag Key provided is invalid, Key: bad#')
    await refuses([tag('k', 'bad#')], 'The Tag Value provided is invalid, Value: bad#')
    await refuses([tag('k'), tag('k')], 'Duplicate Tag Keys provided as input: Duplicate Tag Key found k')
    await refuses([{} as Tag], 'The Tag Key provided is invalid, Key: null')
    await refuses([{ Key: 'k' } as Tag], 'The Tag Value provided is invalid, Value: null')
  },

  'a table has no more than 50 tags': withCoverage(
    ['limit:TABLE_TAGS', 'limit:TAG_KEY_CHARACTERS', 'limit:TAG_VALUE_CHARACTERS'],
    async bench => {
      const long = tag('k'.repeat(TAG_KEY_CHARACTERS), 'v'.repeat(TAG_VALUE_CHARACTERS))
      const ResourceArn = await createTableArn(bench, long, ...createMany(TABLE_TAGS - 1, each => tag(`${each}`)))
      await bench.eventually(() => bench.service.tagResource({ ResourceArn, Tags: [{ ...long, Value: 'other' }] }))
      await bench.eventually(() =>
        expectValidationError(
          bench.service.tagResource({ ResourceArn, Tags: [tag('more')] }),
          'Number of Tags exceed the current limit for the provided ResourceArn',
        ),
      )
    },
  ),

  'the tags of a table have at most 10 KB': withCoverage(['limit:TABLE_TAGS_BYTES'], async bench => {
    const kilobyte = (each: number) => createMany(4, part => tag(`${each}.${part}`, 'v'.repeat(256 - 3)))
    const ResourceArn = await createTableArn(bench, ...createMany(10, kilobyte).flat())
    await bench.eventually(() =>
      expectValidationError(
        bench.service.tagResource({ ResourceArn, Tags: [tag('k', '')] }),
        'Tag set size 10241 bytes is above max size limit of 10240 bytes',
      ),
    )
  }),

  'a tagged resource requires the ARN of a table': async bench => {
    const refuses = (ResourceArn: string, message: string) =>
      expectValidationError(bench.service.tagResource({ ResourceArn, Tags: [tag('k')] }), message)
    await refuses('nonsense', `${INVALID}ARNs must start with 'arn:': nonsense`)
    const TableName = await bench.createOwnTable(withGlobalIndexes(indexDefinition('some')))
    const arn = `${(await bench.store.describeTable({ TableName })).Table!.TableArn}/index/some`
    await refuses(
      arn,
      `${INVALID}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${arn}`,
    )
  },

  'the ARN of another service is rejected': async bench => {
    const elsewhere = { ResourceArn: 'arn:aws:s3:::bucket', Tags: [tag('k')] }
    await expectRejection(bench.service.tagResource(elsewhere), 'AccessDeniedException', /arn:aws:s3:::bucket$/)
  },

  'the error names a missing table by its ARN': async bench => {
    const ResourceArn = `${await createTableArn(bench)}-not`
    await expectRejection(
      bench.service.tagResource({ ResourceArn, Tags: [tag('k')] }),
      'ResourceNotFoundException',
      `Requested resource not found: ResourceArn: ${ResourceArn} not found`,
    )
  },

  'an ARN of more than 1283 characters is rejected': withCoverage(['limit:RESOURCE_ARN_CHARACTERS'], async bench => {
    const ResourceArn = NO_TABLE.padEnd(RESOURCE_ARN_CHARACTERS + 1, 'a')
    await expectValidationError(
      bench.service.tagResource({ ResourceArn, Tags: [tag('k')] }),
      `1 validation error detected: Value '${ResourceArn}' at 'resourceArn' failed to satisfy constraint: Member must ` +
        'have length less than or equal to 1283',
    )
  }),
})

const untagCases = defineCases('untagResource', {
  'tags are removed, and missing tags are ignored': async bench => {
    const ResourceArn = await createTableArn(bench, tag('gone'), tag('kept'))
    await bench.eventually(() => bench.service.untagResource({ ResourceArn, TagKeys: ['gone', 'never'] }))
    await expectTags(bench, ResourceArn, tag('kept'))
  },

  'an empty list of keys and invalid keys are rejected': async bench => {
    const ResourceArn = await createTableArn(bench)
    const refuses = (TagKeys: string[], message: string) =>
      expectValidationError(bench.service.untagResource({ ResourceArn, TagKeys }), message)
    await refuses([], 'Atleast one Tag Key needs to be provided as Input.')
    await refuses([''], 'The Tag Key provided is invalid, Key: ')
    await refuses(['aws:some'], 'Tag Key cannot be prefixed with aws:, Key: aws:some')
  },

  'the error names a missing table by its ARN': async bench => {
    const ResourceArn = `${await createTableArn(bench)}-not`
    await expectRejection(
      bench.service.untagResource({ ResourceArn, TagKeys: ['k'] }),
      'ResourceNotFoundException',
      `Requested resource not found: ResourceArn: ${ResourceArn} not found`,
    )
  },
})

const listCases = defineCases('listTagsOfResource', {
  'a table has the tags of its creation request': async bench => {
    await expectTags(bench, await createTableArn(bench, tag('a', '1'), tag('b', '2')), tag('a', '1'), tag('b', '2'))
  },

  'a table without tags has an empty list': async bench => {
    await expectTags(bench, await createTableArn(bench))
  },

  'an invalid ARN is rejected': async bench => {
    await expectValidationError(
      bench.service.listTagsOfResource({ ResourceArn: 'nonsense' }),
      `${INVALID}ARNs must start with 'arn:': nonsense`,
    )
  },
})

export const taggingCases = [...tagCases, ...untagCases, ...listCases]
