import { clearLine, cursorTo } from 'node:readline'

/** What takes less is over before anyone wonders. */
const SILENT_MS = 1_000
const REDRAW_MS = 100

export interface ProgressLine {
  /** What has been done so far; the text is made only where it is shown. */
  update(text: () => string): void
  /** Takes the line away, for what is printed next. */
  clear(): void
}

/** One line on the terminal that changes in place, on the error stream so that the output can be piped on. */
export function startProgressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!stream.isTTY) return { update: () => undefined, clear: () => undefined }
  let nextMs = Date.now() + SILENT_MS
  let isDrawn = false
  const clear = () => {
    if (!isDrawn) return
    cursorTo(stream, 0)
    clearLine(stream, 0)
    isDrawn = false
  }
  return {
    update(text) {
      if (Date.now() < nextMs) return
      nextMs = Date.now() + REDRAW_MS
      clear()
      stream.write(text().slice(0, stream.columns - 1))
      isDrawn = true
    },
    clear: clear,
  }
}
