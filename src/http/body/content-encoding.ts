/** The encodings that answers may have, the preferred one first. */
const ENCODINGS = ['gzip', 'deflate'] as const
export type ContentEncoding = (typeof ENCODINGS)[number]

interface AcceptedEncoding {
  readonly name: string
  readonly quality: number
}

/**
 * What an answer is encoded by, for a header `Accept-Encoding`, as the service chooses: what is wanted most, of equals
 * the first. A star stands for what is not named, and comes after what is. That it may also be left as it is does not
 * count.
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

/** A weight follows the first `q=`, wherever that is; one that is no number is none. */
function parseAcceptedEncoding(entry: string): AcceptedEncoding {
  const [name = '', ...parameters] = entry.split(';')
  const [, weight] = /q=([^;]*)/.exec(parameters.join(';')) ?? []
  const quality = weight === undefined || weight.trim() === '' ? 1 : Number(weight)
  return { name: name.trim().toLowerCase(), quality: Number.isNaN(quality) ? 1 : Math.min(quality, 1) }
}
