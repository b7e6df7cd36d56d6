import { clearLine, cursorTo } from 'node:readline'

/** Shorter work ends before a user wants progress. */
const SILENT_MS = 1_000
const REDRAW_MS = 100

export interface ProgressLine {
  /** Shows the progress; the text is built only when it is shown. */
  update(text: () => string): void
  /** Clears the line before other output. */
  clear(): void
}

/** Creates a terminal line that updates in place, on stderr so that stdout can be piped. */
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
