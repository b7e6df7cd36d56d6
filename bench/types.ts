import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bars } from './bars.js'
import { type Depth, fixture } from './types-fixture.js'

const SMALL = 50
const LARGE = 100
const ROOT = process.cwd()
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

const bars = new Bars()

/** Returns the compiler's instantiations for a number of pairs. Several checkers would count shared types twice. */
function instantiations(pairs: number, depth: Depth): number {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-types-'))
  try {
    writeFileSync(join(folder, 'fixture.ts'), fixture(pairs, depth, join(ROOT, 'src')))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] }
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['fixture.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const arguments_ = [COMPILER, '-p', folder, '--extendedDiagnostics', '--singleThreaded', '--pretty', 'false']
    const said = execFileSync(process.execPath, arguments_, { encoding: 'utf8' })
    return Number(/Instantiations:\s+(\d+)/.exec(said)![1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function measure(label: string, depth: Depth, bar: number): void {
  const small = instantiations(SMALL, depth)
  const large = instantiations(LARGE, depth)
  bars.atMost(`${label}, instantiations a pair`, (large - small) / (LARGE - SMALL), bar, `${large} for ${LARGE} pairs`)
  bars.atMost(`${label}, ${LARGE} pairs to ${SMALL}`, large / small, 2.1)
}

measure('declaring', 'declared', 150)
measure('keys given for each', 'keys', 1200)
measure('four calls on each', 'four calls', 2000)
measure('every feature, eight calls', 'every feature', 3500)
// The additional cost of a traversal over reads by the same paths.
const hops = (instantiations(LARGE, 'three hops') - instantiations(LARGE, 'reads')) / LARGE
bars.atMost('a traversal of three hops, instantiations', hops, 600, `on top of ${LARGE} pairs that are read`)
bars.close()
