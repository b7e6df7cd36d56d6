import { Bars } from './bars.js'
import { measureDisk } from './engine-disk.js'
import { measureMemory } from './engine-memory.js'
import { measureMillion } from './engine-million.js'

/** The parts of the benchmark. An option with the name selects a part, such as `--million`. */
const PARTS = { memory: measureMemory, disk: measureDisk, million: measureMillion }
const USUAL = ['memory', 'disk']

const bars = new Bars()
const asked = Object.keys(PARTS).filter(name => process.argv.includes(`--${name}`))
for (const [name, measure] of Object.entries(PARTS))
  if ((asked.length > 0 ? asked : USUAL).includes(name)) await measure(bars)
bars.close()
