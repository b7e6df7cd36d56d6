import { createInterface } from 'node:readline'
import { cutEnd } from '../item-table.js'
import { counted, paint, print } from '../output.js'
import type { Page } from './page.js'
import type { Stop } from './stops.js'

/** What a person answered; undefined where there is nobody any more. */
type Ask = (prompt: string) => Promise<string | undefined>
type Ended = 'menu' | 'quit'

/** A menu of graphs, until it is left. */
export async function choose(stops: readonly Stop[], pagesOf: (stop: Stop) => Page[]): Promise<void> {
  await asking(async ask => {
    let next = 0
    for (;;) {
      print(menu(stops, next))
      const answer = await ask('A number or a name, Enter for the next, a for all, q to quit: ')
      if (answer === undefined || isQuit(answer)) return
      const chosen = answer === '' ? next : stopAt(stops, answer)
      if (answer === 'a') for (const page of stops.flatMap(pagesOf)) print(`\n${page(process.stdout.columns)}`)
      else if (chosen < 0) print(paint('yellow', `There is no '${answer}' here.`))
      else {
        if ((await pages(pagesOf(stops[chosen]!), ask, 'm for the menu, ')) === 'quit') return
        next = (chosen + 1) % stops.length
      }
    }
  })
}

/** The pages one by one. */
export const walk = (all: readonly Page[]): Promise<void> =>
  asking(async ask => {
    await pages(all, ask, '')
  })

async function pages(all: readonly Page[], ask: Ask, more: string): Promise<Ended> {
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

function stopAt(stops: readonly Stop[], answer: string): number {
  return stops.findIndex(({ name }, i) => name === answer || String(i + 1) === answer)
}

function menu(stops: readonly Stop[], next: number): string {
  const questions = stops.reduce((sum, stop) => sum + stop.questions.length, 0)
  const names = Math.max(...stops.map(({ name }) => name.length))
  const room = process.stdout.columns - names - '▸ 1   '.length
  const lines = stops.map(
    ({ name, title }, i) =>
      `${i === next ? paint('green', '▸') : ' '} ${paint('cyan', `${i + 1} ${name.padEnd(names)}`)}  ${cutEnd(title, room)}`,
  )
  return [
    '',
    paint('bold', `${counted(stops.length, 'graph')} in DynamoDB, and ${counted(questions, 'question')} asked of them`),
    '',
    ...lines,
    '',
  ].join('\n')
}

/** What is typed before it is asked for is kept. At Ctrl-C and Ctrl-D nobody is there any more. */
async function asking(work: (ask: Ask) => Promise<void>): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const typed: string[] = []
  let isOver = false
  let wake = () => {}
  terminal.on('line', line => {
    typed.push(line.trim())
    wake()
  })
  terminal.on('close', () => {
    isOver = true
    wake()
  })
  try {
    await work(async prompt => {
      terminal.setPrompt(prompt)
      if (!isOver) terminal.prompt()
      while (typed.length === 0 && !isOver)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      return typed.shift()
    })
  } finally {
    terminal.close()
  }
}
