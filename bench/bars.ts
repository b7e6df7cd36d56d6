/** The bars of a benchmark: each is printed with its figure, and with `--check` a missed one fails the run. */
export class Bars {
  private missed = 0

  constructor(private readonly check = process.argv.includes('--check')) {}

  /** A figure that may not pass its bar. */
  atMost(label: string, figure: number, bar: number, detail = ''): void {
    this.judge(label, figure, figure <= bar, `at most ${bar}  ${detail}`)
  }

  /** A figure that must reach its bar. */
  atLeast(label: string, figure: number, bar: number, detail = ''): void {
    this.judge(label, figure, figure >= bar, `at least ${bar}  ${detail}`)
  }

  private judge(label: string, figure: number, met: boolean, detail: string): void {
    if (!met) this.missed++
    const verdict = met ? 'met' : 'MISSED'
    console.log(`${verdict.padEnd(7)}${label.padEnd(46)}${figure.toFixed(2).padStart(9)}  ${detail}`)
  }

  /** A figure without a bar. */
  report(label: string, figure: string): void {
    console.log(`${''.padEnd(7)}${label.padEnd(46)}${figure.padStart(9)}`)
  }

  /** Says how it went, and fails the process where asked to. */
  close(): void {
    console.log(this.missed === 0 ? 'every bar met' : `${this.missed} missed`)
    if (this.check && this.missed > 0) process.exitCode = 1
  }
}
