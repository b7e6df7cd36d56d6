import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createJiti } from 'jiti'
import type { Consumed } from '../../graph/types/call.js'
import { type Example, itemsOf, type PhysicalItem } from '../../layout/items/items.js'
import { type Layout, layoutOf } from '../../layout/layout.js'
import type { Graph } from '../../schema/graph.js'
import { packageFilePath } from '../package-files.js'

/** The package's examples, in the order of the tour. The nightly jobs are in the folder of people. */
export const TOUR_STOPS = ['movies', 'courses', 'follows', 'shops', 'school', 'invoices', 'people', 'nightly'] as const

export type TourStopName = (typeof TOUR_STOPS)[number]

/** An access pattern that was run. */
export interface TourQuestion {
  readonly what: string
  readonly code: string
  readonly explained: string
  readonly value: unknown
  readonly requests: number
  readonly consumed: Consumed
  readonly found: readonly { readonly index: string | undefined; readonly items: readonly PhysicalItem[] }[]
}

/** A step of an example that was run. */
export interface TourStep {
  readonly what: string
  readonly code: string
  readonly value: unknown
}

/** A graph with its items, and its questions or steps. */
export interface TourStop {
  readonly name: TourStopName
  readonly title: string
  /** The source code that declares the graph. */
  readonly declarations: string
  readonly layout: Layout
  readonly items: readonly PhysicalItem[]
  readonly questions: readonly TourQuestion[]
  readonly steps: readonly TourStep[]
  /** Why the steps did not run. */
  readonly note?: string
}

/** The exports of an example, as `print.js` of the examples provides them. */
interface ShownExample {
  readonly title: string
  readonly graph: { readonly $layout: Layout }
  readonly rows: Example
}

/** The exports of an example with steps. */
type ShownSteps = Omit<ShownExample, 'rows'> & { readonly items: readonly PhysicalItem[] }

interface ExamplePrinter {
  presentBy(present: (shown: ShownExample, asked: readonly TourQuestion[]) => void): void
  presentStepsBy(present: (shown: ShownSteps, steps: readonly TourStep[]) => void): void
}

/** Runs an example. Node evaluates a module only once, so each example loads once. */
export async function loadTourStop(name: TourStopName): Promise<TourStop> {
  let stop: TourStop | undefined
  const folder = name === 'nightly' ? 'people' : name
  const declarations = declarationsOf(folder)
  const { presentBy, presentStepsBy } = await importExample<ExamplePrinter>('print.js')
  presentBy(({ title, graph, rows }, questions) => {
    const layout = graph.$layout
    stop = { name, title, declarations, layout, items: itemsOf(layout, rows), questions, steps: [] }
  })
  presentStepsBy(({ title, graph, items }, steps) => {
    stop = { name, title, declarations, layout: graph.$layout, items, questions: [], steps }
  })
  try {
    await importExample(`${folder}/${name}.js`)
  } catch (error) {
    // The steps run on DuckDB, which users of other stops need not install.
    if ((error as { code?: string }).code !== 'batch.duckdb') throw error
    const { people } = await importExample<{ readonly people: Graph<never> }>(`${folder}/graph.js`)
    const title = 'A nightly ranking and validation (not run)'
    const note = (error as Error).message
    stop = { name, title, declarations, layout: layoutOf(people), items: [], questions: [], steps: [], note }
  }
  if (!stop) throw new Error(`example '${name}': the example shows nothing; reinstall edgewise.`)
  return stop
}

const DECLARATION = /^(?:export )?(const \w+ = (?:node|edge|graph|layout|pageRank)\(.*?\));$/gms
/** The compiler indents by four spaces; the tour uses two. */
const INDENT = /^( {4})+/gm

function declarationsOf(example: string): string {
  const folder = packageFilePath(`dist/examples/${example}`)
  const files = readdirSync(folder).filter(file => file.endsWith('.js'))
  const code = files.map(file => readFileSync(join(folder, file), 'utf8')).join('\n')
  const text = Array.from(code.matchAll(DECLARATION), ([, declared]) => declared).join('\n')
  return /^ {2}\S/m.test(text) ? text : text.replace(INDENT, spaces => ' '.repeat(spaces.length / 2))
}

/** The examples are compiled next to this package's code and are not a part of it. */
const loader = createJiti(import.meta.url, { tryNative: true, interopDefault: false, fsCache: false })
const importExample = <T>(path: string): Promise<T> => loader.import(packageFilePath(`dist/examples/${path}`))
