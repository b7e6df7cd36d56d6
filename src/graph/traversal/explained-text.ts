import type { ExplainedStep } from '../../plan/explain.js'
import { ASSUMED } from '../../plan/price.js'
import type { Estimate, ExplainedWave, TraversalSizes, WavePlan } from '../../traverse/explain.js'
import type { Budget } from '../../traverse/traversal.js'

/** The waves of a traversal in words. */
export function wavesText(
  { waves, ...total }: Pick<WavePlan, 'waves' | 'requests' | 'units'>,
  steps: readonly ExplainedStep[],
  budget: Budget,
  { degrees, items, itemBytes }: TraversalSizes,
): string {
  const lines = waves.map((wave, i) => {
    const { operation, index, asks } = steps[i]!
    const place = index ? `the index ${index}` : 'the table'
    const example = wave.reads === 'lists' ? `${operation} on ${place}: ${asks}` : `${operation} on ${place}`
    const { count, requests, units } = wave
    const head = `Wave ${i + 1}. ${number(count.expected)} ${what(wave)}: ${counted(requests.expected, 'request')}`
    return [`${head}, ${counted(units.expected, 'read unit')}`, example].join('\n   ')
  })
  const assumed = [
    !degrees && items === undefined && `${ASSUMED.items} edges a list`,
    itemBytes === undefined && `${ASSUMED.itemBytes} bytes an item`,
  ].filter(Boolean)
  const isOver =
    total.requests.expected > budget.requests || total.units.expected > (budget.units ?? Number.POSITIVE_INFINITY)
  const last = [
    `Total: ${range(total.requests, 'request')}, ${range(total.units, 'read unit')}`,
    assumed[0] && ` (assuming ${assumed.join(' and ')})`,
    '.',
    isOver &&
      ` This passes the budget of ${budget.requests} requests${budget.units === undefined ? '' : ` and ${budget.units} units`}.`,
  ]
  return [...lines, last.filter(Boolean).join('')].join('\n')
}

const number = (value: number) => String(Math.round(value * 10) / 10)

const counted = (value: number, name: string) => `${number(value)} ${name}${value === 1 ? '' : 's'}`

function what({ reads, of, count }: ExplainedWave): string {
  const plural = count.expected === 1 ? '' : 's'
  return reads === 'lists' ? `list${plural} of ${of}` : `node${plural} of '${of}'`
}

const range = ({ expected, maximum }: Estimate, name: string) =>
  expected >= maximum ? counted(expected, name) : `${counted(expected, name)} expected and at most ${number(maximum)}`
