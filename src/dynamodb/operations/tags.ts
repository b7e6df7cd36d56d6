import type { Tag } from './tables.js'

export interface TagResourceInput {
  ResourceArn: string
  Tags: Tag[]
}

export type TagResourceOutput = object

export interface UntagResourceInput {
  ResourceArn: string
  TagKeys: string[]
}

export type UntagResourceOutput = object

export interface ListTagsOfResourceInput {
  ResourceArn: string
  NextToken?: string | undefined
}

/** Like the AWS SDK's type, whose members may be undefined. */
export interface DescribedTag {
  Key: string | undefined
  Value: string | undefined
}

export interface ListTagsOfResourceOutput {
  Tags?: DescribedTag[] | undefined
  NextToken?: string | undefined
}
