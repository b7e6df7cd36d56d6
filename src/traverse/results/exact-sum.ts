import { compareNumbers, formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import type { DeclaredType } from '../../layout/slots.js'
import { membersByName } from '../../plan/members.js'
import type { PlainRow } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'

/** A number as the attribute that it comes from has it: a decimal is a text. */
export type Figure = number | bigint | string

/** More digits than a number has, after those of the sum. */
const MEAN_DIGITS = 20

/** Adds numbers of any size and scale without rounding. */
export class ExactSum {
  /** The sum of the numbers that fit, which are almost all. The others are counted in units of `10 ** -scale`. */
  private small = 0
  private units = 0n
  private scale = 0

  /** Adds a number as often as `times` says. */
  add(value: Figure, times = 1): void {
    const product = typeof value === 'number' ? value * times : Number.NaN
    const small = this.small + product
    if (Number.isSafeInteger(value) && Number.isSafeInteger(product) && Number.isSafeInteger(small)) {
      this.small = small
      return
    }
    const { negative, digits, exponent } = parseDecimal(String(value))!
    const scale = Math.max(0, digits.length - exponent)
    this.rescale(scale)
    const units = BigInt(digits || '0') * 10n ** BigInt(exponent - digits.length + this.scale)
    this.units += (negative ? -units : units) * BigInt(times)
  }

  addSum(other: ExactSum): void {
    this.rescale(other.scale)
    this.units += other.units * 10n ** BigInt(this.scale - other.scale)
    this.add(other.small)
  }

  compare(other: ExactSum): number {
    if (this.units === 0n && other.units === 0n) return this.small - other.small
    return compareNumbers(this.toText(), other.toText())
  }

  toNumber(): number {
    return this.units === 0n ? this.small : Number(this.toText())
  }

  /** The mean of so many numbers, rounded to a number once. */
  toMean(count: number): number {
    if (this.units === 0n) return this.small / count
    const total = this.units + BigInt(this.small) * 10n ** BigInt(this.scale)
    return Number(`${(total * 10n ** BigInt(MEAN_DIGITS)) / BigInt(count)}e-${this.scale + MEAN_DIGITS}`)
  }

  /** The sum as plain decimal text. */
  toText(): string {
    const total = this.units + BigInt(this.small) * 10n ** BigInt(this.scale)
    return formatDecimal(parseDecimal(`${total}e-${this.scale}`)!)
  }

  private rescale(scale: number): void {
    if (scale <= this.scale) return
    this.units *= 10n ** BigInt(scale - this.scale)
    this.scale = scale
  }
}

/** Converts a sum to the form that the values of its attribute have. */
export function figureConverterOf(type: DeclaredType, name: string): (sum: ExactSum) => Figure {
  const { kind } = membersByName(type, name)[0]!.attribute
  if (kind === 'bigint') return sum => BigInt(sum.toText())
  return kind === 'decimal' ? sum => sum.toText() : sum => sum.toNumber()
}

/** A number of an edge or a node; undefined if the attribute is absent. */
export function figureOf(row: PlainRow, attribute: string, type: string): Figure | undefined {
  const value = row[attribute]
  if (value === undefined || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  if (typeof value === 'string' && parseDecimal(value)) return value
  throw new GraphError(
    'call.argument',
    `${type}.${attribute}: the value is not a number; give an attribute of numbers.`,
    {
      type,
      name: attribute,
      value,
    },
  )
}
