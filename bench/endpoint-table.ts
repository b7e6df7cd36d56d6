import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Costs } from './endpoint-cost.js'

const BEGIN = '<!-- written by npm run bench:endpoint -- --readme -->\n'
const END = '<!-- end -->\n'

/** The results: costs of each operation by concurrency and server, then what a server takes to start and to be there. */
export interface Results {
  readonly servers: readonly string[]
  readonly costs: ReadonlyMap<string, ReadonlyMap<number, Costs>>
  readonly memory: ReadonlyMap<string, number>
  readonly starts: ReadonlyMap<string, number>
  readonly items: number
}

/** As a table of Markdown. */
export function table({ servers, costs, memory, starts, items }: Results): string {
  const row = (label: string, cell: (server: string) => string) => `| ${label} | ${servers.map(cell).join(' | ')} |`
  const machine = `${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}`
  return [
    row('', server => server),
    `|-|${servers.map(() => '-').join('|')}|`,
    ...Array.from(costs, ([label, byConcurrency]) => row(label, server => cellOf(byConcurrency, server))),
    row('from start to first answer, at best', server => `${starts.get(server)!.toFixed(0)} ms`),
    row(`memory with ${items.toLocaleString('en')} items`, server => `${(memory.get(server)! / 1e6).toFixed(0)} MB`),
    '',
    'Processor time of the server for one operation, with one request at a time and with 16 at once, and operations in ' +
      `a second with 16 at once; ${machine}, ${new Date().toISOString().slice(0, 10)} (\`npm run bench:endpoint\`).`,
  ].join('\n')
}

/** `50 / 27 µs, 17503/s`. */
function cellOf(byConcurrency: ReadonlyMap<number, Costs>, server: string): string {
  const costs = Array.from(byConcurrency.values(), byServer => byServer.get(server))
  const last = costs.at(-1)
  if (last === undefined) return 'has none'
  return `${costs.map(cost => cost!.cpuMicroseconds.toFixed(0)).join(' / ')} µs, ${last.perSecond.toFixed(0)}/s`
}

/** Puts the table where README.md has its place. */
export function writeReadme(text: string): void {
  const readme = readFileSync('README.md', 'utf8')
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('README.md has no place for the table')
  writeFileSync('README.md', `${readme.slice(0, begin + BEGIN.length)}${text}\n${readme.slice(end)}`)
}
