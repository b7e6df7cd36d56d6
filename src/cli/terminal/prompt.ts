import { createInterface } from 'node:readline/promises'

/** Whether there is somebody to ask. */
export const canPrompt = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Asks whoever runs the command, on the error stream so that the output can be piped on. */
export class Prompt {
  private readonly input = createInterface({ input: process.stdin, output: process.stderr })

  constructor() {
    // Without this, Ctrl-C would leave the question open for ever.
    this.input.once('SIGINT', () => this.input.close())
  }

  /** The answer without the spaces around it. Rejects where there is no more input. */
  async ask(question: string): Promise<string> {
    const ended = new Promise<never>((_, reject) => {
      this.input.once('close', () => reject(new UnansweredError()))
    })
    return (await Promise.race([this.input.question(question), ended])).trim()
  }

  /** Whether the answer is yes; anything else is no. */
  async confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.ask(`${question} [y/N] `))
  }

  close(): void {
    this.input.close()
  }
}

/** The input ended before the question was answered. */
export class UnansweredError extends Error {}
