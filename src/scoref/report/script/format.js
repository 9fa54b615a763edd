// Numbers and names as texts.
const count = (number) => number.toLocaleString("en");
const plural = (number, noun, nouns) => `${count(number)} ${number === 1 ? noun : nouns || noun + "s"}`;
const percent = (value) => (value === null || value === undefined ? "–" : (100 * value).toFixed(2));

function signedPoints(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const shown = Math.abs(100 * value).toFixed(digits);
  return Number(shown) === 0 ? shown : (value > 0 ? "+" : "−") + shown;
}

// What the repair of one error is worth: small in a large corpus, so with as many digits as it takes.
function worth(millionths) {
  if (millionths === null || millionths === undefined) return "–";
  const points = Math.abs(millionths) / 1e4;
  return signedPoints(millionths / 1e6, points >= 0.1 || points === 0 ? 2 : points >= 0.01 ? 3 : 4);
}

function letters(number) {
  let name = "";
  for (; number > 0; number = Math.floor((number - 1) / 26)) name = String.fromCharCode(97 + ((number - 1) % 26)) + name;
  return name;
}
const entityLabel = (number) => (number >= 0 ? String(number) : letters(-number));

// Twelve colours in three styles: entities 1 and 13 have the same colour, but not the same sign.
const HUES = 12, STYLES = 3;
const hue = (number) => (number > 0 ? 1 + ((number - 1) % HUES) : 0);
const colour = (number) => `var(--e${hue(number)})`;
const styleOf = (number) => (number > 0 ? Math.floor((number - 1) / HUES) % STYLES : 0);
const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
