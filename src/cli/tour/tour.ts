import { Misuse } from '../failure.js'
import type { JsonOption } from '../options.js'
import { print, printJson } from '../output.js'
import { introduction, type Page, questionPage } from './page.js'
import { loadStop, STOPS, type Stop, type StopName } from './stops.js'
import { choose, walk } from './walk.js'

interface TourOptions extends JsonOption {
  readonly all?: boolean
}

/** Walks through the examples: by a menu on a terminal, or else from one end to the other. */
export async function tourCommand(words: readonly string[], options: TourOptions): Promise<void> {
  const named = words.map(stopNamed)
  const stops: Stop[] = []
  for (const name of named.length > 0 ? named : STOPS) stops.push(await loadStop(name))
  if (options.json) printJson(stops.map(documentOf))
  else if (options.all || !process.stdin.isTTY || !process.stdout.isTTY) {
    const width = process.stdout.isTTY ? process.stdout.columns : Infinity
    for (const stop of stops) print(...pagesOf(stop).map(page => `${page(width)}\n`))
  } else if (named.length > 0) await walk(stops.flatMap(pagesOf))
  else await choose(stops, pagesOf)
}

/** By its number or its name. */
function stopNamed(word: string): StopName {
  const name = STOPS.find((stop, i) => stop === word || String(i + 1) === word)
  if (name) return name
  const there = STOPS.map((stop, i) => `${i + 1} ${stop}`).join(', ')
  throw new Misuse(`the tour has no '${word}': give any of ${there}, or none for the menu`)
}

function pagesOf(stop: Stop): Page[] {
  const number = STOPS.indexOf(stop.name) + 1
  return [
    width => introduction(stop, number, width),
    ...stop.questions.map((_, at) => (width: number) => questionPage(stop, at, width)),
  ]
}

const documentOf = ({ name, title, declarations, layout, items, questions }: Stop) => ({
  name,
  title,
  declarations,
  table: layout.design.name,
  items,
  questions,
})
