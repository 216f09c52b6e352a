import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface LinkProps {
  href: string
  class?: string
  children: ComponentChildren
}

/** A link to another site, in a tab of its own. */
export function OutLink({ href, class: className, children }: LinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...(className !== undefined && { class: className })}>
      {children}
      <Icon name="external" />
    </a>
  )
}
