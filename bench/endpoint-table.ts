import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Costs } from './endpoint-cost.js'

const BEGIN = '<!-- written by npm run bench:endpoint -- --readme -->\n'
const END = '<!-- end -->\n'

/** The results as a table of Markdown: processor time and throughput of each operation, then start and memory. */
export function table(
  servers: readonly string[],
  costs: ReadonlyMap<string, Costs>,
  memory: ReadonlyMap<string, number>,
  starts: ReadonlyMap<string, number>,
  items: number,
): string {
  const row = (label: string, cell: (server: string) => string) => `| ${label} | ${servers.map(cell).join(' | ')} |`
  const rows = Array.from(costs, ([label, byServer]) =>
    row(label, server => {
      const cost = byServer.get(server)
      if (cost === undefined) return 'has none'
      const { cpuMicroseconds, perSecond } = cost
      return `${cpuMicroseconds.toFixed(0)} µs, ${perSecond.toFixed(0)}/s`
    }),
  )
  return [
    row('', server => server),
    `|-|${servers.map(() => '-').join('|')}|`,
    ...rows,
    row('from start to first answer', server => `${starts.get(server)!.toFixed(0)} ms`),
    row(`memory with ${items.toLocaleString('en')} items`, server => `${(memory.get(server)! / 1e6).toFixed(0)} MB`),
    '',
    `Processor time of the server and operations in a second, ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
  ].join('\n')
}

/** Puts the table where README.md has its place. */
export function writeReadme(text: string): void {
  const readme = readFileSync('README.md', 'utf8')
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('README.md has no place for the table')
  writeFileSync('README.md', `${readme.slice(0, begin + BEGIN.length)}${text}\n${readme.slice(end)}`)
}
