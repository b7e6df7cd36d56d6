import { createInterface } from 'node:readline/promises'

/** Returns whether a user can answer questions. */
export const canPrompt = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Asks the user on stderr, so that stdout can be piped. */
export class Prompt {
  private readonly input = createInterface({ input: process.stdin, output: process.stderr })

  constructor() {
    // Without this listener, Ctrl-C would leave the question pending.
    this.input.once('SIGINT', () => this.input.close())
  }

  /** Resolves to the trimmed answer. Rejects if the input has ended. */
  async ask(question: string): Promise<string> {
    const ended = new Promise<never>((_, reject) => {
      this.input.once('close', () => reject(new UnansweredError()))
    })
    return (await Promise.race([this.input.question(question), ended])).trim()
  }

  /** Resolves to whether the answer is yes; any other answer is no. */
  async confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.ask(`${question} [y/N] `))
  }

  close(): void {
    this.input.close()
  }
}

/** The input ended before the answer. */
export class UnansweredError extends Error {}
