// The page's elements: found by id, and made with text that stays text.

/** @param {string} id @returns {HTMLElement} */
export const $ = (id) => document.getElementById(id);

/**
 * @param {string} name
 * @param {{class?: string, text?: string, [attribute: string]: unknown}} [given]
 * @param {...(Node | string)} children
 */
export function make(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key === "text") made.textContent = value;
    else if (key === "class") made.className = value;
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Calls it once for all that asked within a while. */
export function later(work, ms) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      work();
    }, ms);
  };
}

/** Says in words what just happened. */
export function tell(text, bad = false) {
  $("ticker").textContent = text;
  $("ticker").classList.toggle("bad", bad);
}

/** Runs what a button does: it cannot be pressed twice, and an error is said. */
export async function working(button, work) {
  if (button?.disabled) return;
  if (button) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    tell(error.message, true);
  } finally {
    if (button) button.disabled = false;
  }
}
