/** The limits of a benchmark. Each is printed with its measurement; with `--check`, a violated limit fails the run. */
export class Bars {
  private missed = 0

  constructor(private readonly check = process.argv.includes('--check')) {}

  /** A measurement with a maximum. */
  atMost(label: string, figure: number, bar: number, detail = ''): void {
    this.judge(label, figure, figure <= bar, `at most ${bar}  ${detail}`)
  }

  /** A measurement with a minimum. */
  atLeast(label: string, figure: number, bar: number, detail = ''): void {
    this.judge(label, figure, figure >= bar, `at least ${bar}  ${detail}`)
  }

  private judge(label: string, figure: number, met: boolean, detail: string): void {
    if (!met) this.missed++
    const verdict = met ? 'met' : 'MISSED'
    console.log(`${verdict.padEnd(7)}${label.padEnd(46)}${figure.toFixed(2).padStart(9)}  ${detail}`)
  }

  /** A measurement without a limit. */
  report(label: string, figure: string): void {
    console.log(`${''.padEnd(7)}${label.padEnd(46)}${figure.padStart(9)}`)
  }

  /** Prints the summary, and with `--check` fails the process if a limit is violated. */
  close(): void {
    console.log(this.missed === 0 ? 'every bar met' : `${this.missed} missed`)
    if (this.check && this.missed > 0) process.exitCode = 1
  }
}
