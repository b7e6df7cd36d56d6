import { createInterface } from 'node:readline/promises'

/** Whether there is somebody to ask. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Asks whoever runs the command, on the error stream so that the output can be piped on. */
export class Asking {
  private readonly lines = createInterface({ input: process.stdin, output: process.stderr })

  constructor() {
    // Without this, Ctrl-C would leave the question open for ever.
    this.lines.once('SIGINT', () => this.lines.close())
  }

  /** The answer without the spaces around it. Rejects where there is no more input. */
  async ask(question: string): Promise<string> {
    const ended = new Promise<never>((_, reject) => {
      this.lines.once('close', () => reject(new Unanswered()))
    })
    return (await Promise.race([this.lines.question(question), ended])).trim()
  }

  /** Whether the answer is yes; anything else is no. */
  async confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.ask(`${question} [y/N] `))
  }

  close(): void {
    this.lines.close()
  }
}

/** The input ended before the question was answered. */
export class Unanswered extends Error {}
