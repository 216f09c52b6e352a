import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A pointer that rests for this long no longer says that somebody reads, in ms. */
const restMs = 20_000

/** Whether somebody reads inside the element: the pointer moves there, or the keyboard is there. */
export function useReading(ref: RefObject<HTMLElement | null>): boolean {
  const [isReading, setIsReading] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hasKeyboard = () => element.querySelector(':focus-visible') !== null
    const stop = () => {
      clearTimeout(timer)
      setIsReading(hasKeyboard())
    }
    const onPointer = ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'mouse') return
      clearTimeout(timer)
      timer = setTimeout(stop, restMs)
      setIsReading(true)
    }
    const onFocus = () => setIsReading((before) => before || hasKeyboard())
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      const isInside = relatedTarget instanceof Node && element.contains(relatedTarget)
      if (!isInside) setIsReading(element.matches(':hover') && timer !== undefined)
    }
    element.addEventListener('pointermove', onPointer)
    element.addEventListener('pointerleave', stop)
    element.addEventListener('focusin', onFocus)
    element.addEventListener('focusout', onBlur)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('pointermove', onPointer)
      element.removeEventListener('pointerleave', stop)
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('focusout', onBlur)
    }
  }, [ref])
  return isReading
}
