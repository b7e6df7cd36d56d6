import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

const DIGITS = 'Attempting to store more than 38 significant digits in a Number'
const OVERFLOW = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
const UNDERFLOW = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'

/** Asserts that each number is returned in this form. */
async function expectStoredAs(bench: TestBench, forms: Record<string, string>): Promise<void> {
  const trial = await ItemTrial.of(bench)
  for (const [given, stored] of Object.entries(forms)) {
    await trial.put({ alone: { N: given }, set: { NS: [given] } })
    expectEqual(await trial.readAttributes(), { alone: { N: stored }, set: { NS: [stored] } })
  }
}

async function expectInvalidNumbers(bench: TestBench, message: string, ...numbers: string[]): Promise<void> {
  const trial = await ItemTrial.of(bench)
  for (const N of numbers) {
    await expectInvalidRequest(trial.put({ a: { N } }), message)
    await expectInvalidRequest(trial.put({ a: { NS: ['1', N] } }), message)
  }
}

/** Cases of numbers that can and cannot be stored. */
export const numberCases = defineCases('putItem', {
  'a number is returned in plain notation without superfluous characters': bench =>
    expectStoredAs(bench, {
      '0': '0',
      '-0': '0',
      '0.00': '0',
      '007': '7',
      '+7': '7',
      '1.50': '1.5',
      '.5': '0.5',
      '5.': '5',
      '-0.250': '-0.25',
      '1e3': '1000',
      '12E-1': '1.2',
      '-1.5e+2': '-150',
      '1e-7': '0.0000001',
      '123456789012345678901234567890': '123456789012345678901234567890',
      '0.1000000000000000055511151231257827': '0.1000000000000000055511151231257827',
    }),
  'a number has at most 38 significant digits': withCoverage(['limit:NUMBER_DIGITS'], async bench => {
    const nines = '9'.repeat(38)
    await expectStoredAs(bench, {
      [nines]: nines,
      [`-${nines}`]: `-${nines}`,
      [`0.${nines}`]: `0.${nines}`,
      [`00${nines}000`]: `${nines}000`,
      [`1.${'0'.repeat(36)}1`]: `1.${'0'.repeat(36)}1`,
    })
    await expectInvalidNumbers(bench, DIGITS, `${nines}1`, `-${nines}1`, `0.${nines}1`, `1${'0'.repeat(37)}1`)
  }),
  'a number is below 10 to the 126th': withCoverage(['limit:NUMBER_EXPONENT_MAX'], async bench => {
    const largest = `9.${'9'.repeat(37)}E125`
    const written = '9'.repeat(38) + '0'.repeat(88)
    await expectStoredAs(bench, { '1E125': `1${'0'.repeat(125)}`, [largest]: written, [`-${largest}`]: `-${written}` })
    await expectInvalidNumbers(bench, OVERFLOW, '1E126', '-1E126', `1${'0'.repeat(126)}`, '9.9E300')
  }),
  'the absolute value of a number is at least 10 to the -130th': withCoverage(
    ['limit:NUMBER_EXPONENT_MIN'],
    async bench => {
      const least = `0.${'0'.repeat(129)}1`
      await expectStoredAs(bench, { '1E-130': least, '-1E-130': `-${least}` })
      await expectInvalidNumbers(bench, UNDERFLOW, '1E-131', '-1E-131', '9.9E-131', '1E-300')
    },
  ),
  'an exponent of up to 64 bits is read in full': async bench => {
    const largest = '9223372036854775807'
    await expectInvalidNumbers(bench, OVERFLOW, '1e2147483648', '1e99999999999', `1e${largest}`, '0e126')
    await expectInvalidNumbers(bench, UNDERFLOW, '1e-2147483649', '1e-99999999999', '0e-131')
    const beyond = '1e9223372036854775808'
    await expectInvalidNumbers(bench, `The parameter cannot be converted to a numeric value: ${beyond}`, beyond)
  },
  'arithmetic has the same limits, and a result with too many digits is reported as too large': withCoverage(
    ['limit:NUMBER_DIGITS', 'limit:NUMBER_EXPONENT_MAX'],
    async bench => {
      const trial = await ItemTrial.of(bench, { a: { N: '9'.repeat(38) }, b: { N: '5E125' } })
      const step = { ':one': { N: '1' }, ':tenth': { N: '0.1' } }
      expectEqual((await trial.updateAndRead('SET a = a + :one', { ':one': step[':one'] })).a, {
        N: `1${'0'.repeat(38)}`,
      })
      await expectValidationError(trial.update('SET a = a + :tenth', { ':tenth': step[':tenth'] }), OVERFLOW)
      await expectValidationError(trial.update('ADD a :one', { ':one': step[':one'] }), OVERFLOW)
      await expectValidationError(trial.update('SET b = b + b'), OVERFLOW)
    },
  ),
})
