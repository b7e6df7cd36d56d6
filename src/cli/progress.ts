import { clearLine, cursorTo } from 'node:readline'

/** What takes less is over before anyone wonders. */
const SILENT_MS = 1_000
const REDRAW_MS = 100

export interface Progress {
  /** What has been done so far; the text is made only where it is shown. */
  say(text: () => string): void
  /** Takes the line away, for what is printed next. */
  end(): void
}

/** One line on the terminal that changes in place, on the error stream so that the output can be piped on. */
export function progress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { say: () => undefined, end: () => undefined }
  let nextMs = Date.now() + SILENT_MS
  let drawn = false
  const clear = () => {
    if (!drawn) return
    cursorTo(stream, 0)
    clearLine(stream, 0)
    drawn = false
  }
  return {
    say(text) {
      if (Date.now() < nextMs) return
      nextMs = Date.now() + REDRAW_MS
      clear()
      stream.write(text().slice(0, stream.columns - 1))
      drawn = true
    },
    end: clear,
  }
}
