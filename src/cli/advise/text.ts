import { PRICES_OF } from '../../dynamodb/dollars.js'
import { paint } from '../output.js'
import type { Choice, EdgeAdvice } from './advice.js'
import type { EdgeFacts, Facts } from './facts.js'
import { NEPTUNE_IO_MILLION_DOLLARS, NEPTUNE_STORAGE_GIGABYTE_MONTH_DOLLARS, type NeptuneAdvice } from './neptune.js'

const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
const dollars = (value: number) => `$${value < 10 ? value.toFixed(2) : number(value)}`

/** The advice for people to read. */
export function adviceText(facts: Facts, edges: readonly EdgeAdvice[], neptune: NeptuneAdvice): string {
  return [
    ...edges.map(advice => edgeText(advice, facts.edges[advice.edge]!)),
    neptuneText(neptune),
    `Prices of ${PRICES_OF}: on demand, or provisioned with 70% in use; storage apart. Writes are measured on the embedded engine, reads are as their plans say. Copies that change and their stream are reckoned.`,
  ].join('\n\n')
}

function edgeText({ edge, choices, because, warnings, declare }: EdgeAdvice, facts: EdgeFacts): string {
  const [best] = choices
  return [
    `${paint('bold', edge)}: ${number(facts.total)} edges of ${number(facts.bytes)} B`,
    ...tableLines(choices),
    '',
    `Take ${paint('green', best!.name)}${best!.unfit === undefined ? '' : `, though ${best!.unfit}`}${best!.present ? ', as it is' : ''}${declare === '' ? ', which are the defaults' : `: ${paint('bold', declare)}`}.`,
    ...Object.entries(because).map(([end, why]) => `- ${end} ${why}.`),
    ...warnings.map(warning => `${paint('yellow', 'Beware:')} ${warning}.`),
  ].join('\n')
}

const HEAD = ['', 'on demand', 'provisioned', 'storage', 'read units/s', 'write units/s']

function tableLines(choices: readonly Choice[]): string[] {
  const rows = choices.map(({ name, unfit, present, dollarsPerMonth, unitsPerSecond }) => [
    `${name}${present ? ', as now' : ''}${unfit === undefined ? '' : ` (${unfit})`}`,
    dollars(dollarsPerMonth.onDemand),
    dollars(dollarsPerMonth.provisioned),
    dollars(dollarsPerMonth.storage),
    number(unitsPerSecond.read),
    number(unitsPerSecond.write),
  ])
  const all = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...all.map(row => row[column]!.length)))
  return all.map(row =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')}`.trimEnd(),
  )
}

function neptuneText(neptune: NeptuneAdvice): string {
  const { answer, because, idleDollarsPerMonth, hops, requests, units, dollarsPerMonth, evenPerSecond } = neptune
  const idle = `The smallest Neptune Serverless costs ${dollars(idleDollarsPerMonth)} a month, idle (${PRICES_OF}), with storage at ${dollars(NEPTUNE_STORAGE_GIGABYTE_MONTH_DOLLARS)} a GB and ${dollars(NEPTUNE_IO_MILLION_DOLLARS)} a million I/Os on top.`
  const even =
    evenPerSecond === undefined
      ? ''
      : ` A traversal of ${hops} hops takes ${number(requests)} requests and ${number(units)} read units here, yours ${dollars(dollarsPerMonth)} a month: from ${number(evenPerSecond)} a second on, Neptune is the cheaper, if one capacity unit serves them.`
  return `${paint('bold', answer === 'dynamodb' ? 'DynamoDB is the answer' : 'Neptune is the honest answer')}: ${because}. ${idle}${even} Whatever the price, paths of unknown length, shortest paths and graph algorithms are Neptune's: \`edgewise dump --format gremlin\` takes your data there.`
}
