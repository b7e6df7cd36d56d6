import { createInterface } from 'node:readline'
import { formatCount, paint, print } from '../terminal/output.js'
import { cutEnd } from '../terminal/text-table.js'
import type { TourPage } from './page.js'
import type { TourStop } from './stops.js'

/** The user's answer; undefined after the input ended. */
type AskUser = (prompt: string) => Promise<string | undefined>
type PagerExit = 'menu' | 'quit'

/** Shows a menu of graphs until the user quits. */
export async function chooseFromMenu(
  stops: readonly TourStop[],
  pagesOf: (stop: TourStop) => TourPage[],
): Promise<void> {
  await withTerminal(async ask => {
    let next = 0
    for (;;) {
      print(formatMenu(stops, next))
      const answer = await ask('A number or a name, Enter for the next, a for all, q to quit: ')
      if (answer === undefined || isQuit(answer)) return
      const chosen = answer === '' ? next : findStop(stops, answer)
      if (answer === 'a') for (const page of stops.flatMap(pagesOf)) print(`\n${page(process.stdout.columns)}`)
      else if (chosen < 0) print(paint('yellow', `There is no '${answer}' here.`))
      else {
        if ((await showPages(pagesOf(stops[chosen]!), ask, 'm for the menu, ')) === 'quit') return
        next = (chosen + 1) % stops.length
      }
    }
  })
}

/** Shows the pages one by one. */
export const walkPages = (all: readonly TourPage[]): Promise<void> =>
  withTerminal(async ask => {
    await showPages(all, ask, '')
  })

async function showPages(all: readonly TourPage[], ask: AskUser, more: string): Promise<PagerExit> {
  for (let at = 0; at < all.length; ) {
    print(`\n${all[at]!(process.stdout.columns)}\n`)
    const answer = await ask(paint('dim', `Enter for the next, b for the one before, ${more}q to quit: `))
    if (answer === undefined || isQuit(answer)) return 'quit'
    if (more && answer.startsWith('m')) return 'menu'
    at = answer.startsWith('b') ? Math.max(0, at - 1) : at + 1
  }
  return 'menu'
}

const isQuit = (answer: string) => /^(?:q|quit|exit)$/i.test(answer)

function findStop(stops: readonly TourStop[], answer: string): number {
  return stops.findIndex(({ name }, i) => name === answer || String(i + 1) === answer)
}

function formatMenu(stops: readonly TourStop[], next: number): string {
  const questions = stops.reduce((sum, stop) => sum + stop.questions.length + stop.steps.length, 0)
  const names = Math.max(...stops.map(({ name }) => name.length))
  const room = process.stdout.columns - names - '▸ 1   '.length
  const lines = stops.map(
    ({ name, title }, i) =>
      `${i === next ? paint('green', '▸') : ' '} ${paint('cyan', `${i + 1} ${name.padEnd(names)}`)}  ${cutEnd(title, room)}`,
  )
  return [
    '',
    paint(
      'bold',
      `${formatCount(stops.length, 'graph')} in DynamoDB, and ${formatCount(questions, 'question')} asked of them`,
    ),
    '',
    ...lines,
    '',
  ].join('\n')
}

/** Input that was typed ahead is kept. After Ctrl-C and Ctrl-D, the input has ended. */
async function withTerminal(work: (ask: AskUser) => Promise<void>): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const typedLines: string[] = []
  let isClosed = false
  let wake = () => {}
  terminal.on('line', line => {
    typedLines.push(line.trim())
    wake()
  })
  terminal.on('close', () => {
    isClosed = true
    wake()
  })
  try {
    await work(async prompt => {
      terminal.setPrompt(prompt)
      if (!isClosed) terminal.prompt()
      while (typedLines.length === 0 && !isClosed)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      return typedLines.shift()
    })
  } finally {
    terminal.close()
  }
}
