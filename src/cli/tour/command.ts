import { UsageFailure } from '../command-failure.js'
import type { JsonOption } from '../options.js'
import { print, printJson } from '../terminal/output.js'
import { formatIntroduction, formatQuestion, formatStep, type TourPage } from './page.js'
import { chooseFromMenu, walkPages } from './pager.js'
import { loadTourStop, TOUR_STOPS, type TourStop, type TourStopName } from './stops.js'

interface TourOptions extends JsonOption {
  readonly all?: boolean
}

/** Shows the examples: with a menu on a terminal, otherwise one after another. */
export async function tourCommand(names: readonly string[], options: TourOptions): Promise<void> {
  const stopNames = names.map(parseStopName)
  const stops: TourStop[] = []
  for (const name of stopNames.length > 0 ? stopNames : TOUR_STOPS) stops.push(await loadTourStop(name))
  if (options.json) printJson(stops.map(toTourDocument))
  else if (options.all || !process.stdin.isTTY || !process.stdout.isTTY) {
    const width = process.stdout.isTTY ? process.stdout.columns : Infinity
    for (const stop of stops) print(...tourPagesOf(stop).map(page => `${page(width)}\n`))
  } else if (stopNames.length > 0) await walkPages(stops.flatMap(tourPagesOf))
  else await chooseFromMenu(stops, tourPagesOf)
}

/** Finds an example by number or name. */
function parseStopName(word: string): TourStopName {
  const name = TOUR_STOPS.find((stop, i) => stop === word || String(i + 1) === word)
  if (name) return name
  const choices = TOUR_STOPS.map((stop, i) => `${i + 1} ${stop}`).join(', ')
  throw new UsageFailure(`tour: '${word}' is not an example; use one of ${choices}, or omit the name for a menu.`)
}

function tourPagesOf(stop: TourStop): TourPage[] {
  const number = TOUR_STOPS.indexOf(stop.name) + 1
  return [
    width => formatIntroduction(stop, number, width),
    ...stop.questions.map((_, at) => (width: number) => formatQuestion(stop, at, width)),
    ...stop.steps.map((_, at) => (width: number) => formatStep(stop, at, width)),
  ]
}

const toTourDocument = ({ name, title, declarations, layout, items, questions, steps, note }: TourStop) => ({
  name,
  title,
  declarations,
  table: layout.design.name,
  items,
  questions,
  ...(steps.length > 0 && { steps }),
  ...(note !== undefined && { note }),
})
