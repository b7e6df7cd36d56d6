/** The supported encodings of responses, in order of preference. */
const ENCODINGS = ['gzip', 'deflate'] as const
export type ContentEncoding = (typeof ENCODINGS)[number]

interface AcceptedEncoding {
  readonly name: string
  readonly quality: number
}

/**
 * Chooses the encoding of a response for an `Accept-Encoding` header, as the service does: the highest weight wins, and
 * the first of equal ones. A star stands for encodings without an entry and ranks after those with one. An entry for
 * `identity` does not count.
 */
export function chooseEncoding(header: string): ContentEncoding | undefined {
  const accepted = header.split(',').map(parseAcceptedEncoding)
  const isNamed = (encoding: ContentEncoding) => accepted.some(({ name }) => name === encoding)
  const unnamed = ENCODINGS.find(encoding => !isNamed(encoding))
  let best: ContentEncoding | undefined
  let bestQuality = 0
  for (const isStar of [false, true])
    for (const { name, quality } of accepted) {
      const encoding = isStar ? name === '*' && unnamed : ENCODINGS.find(encoding => encoding === name)
      if (!encoding || !(quality > bestQuality)) continue
      best = encoding
      bestQuality = quality
    }
  return best
}

/** The weight follows the first `q=` at any position; an invalid weight is ignored. */
function parseAcceptedEncoding(entry: string): AcceptedEncoding {
  const [name = '', ...parameters] = entry.split(';')
  const [, weight] = /q=([^;]*)/.exec(parameters.join(';')) ?? []
  const quality = weight === undefined || weight.trim() === '' ? 1 : Number(weight)
  return { name: name.trim().toLowerCase(), quality: Number.isNaN(quality) ? 1 : Math.min(quality, 1) }
}
