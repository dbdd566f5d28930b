/* Plays traces. A figure's JSON holds, for each of its one or two shows, what changes from frame to frame:

   names   the places, by number           chips  number -> class of its chip in the queue
   spots   the middle of each place        frames [{b: beat, t: tone of the layer, c: {place: [classes, fill, text]},
           e: {edge: class}, q: places in the queue, f: facts, l: points of the line, k: place of the knight,
           d: how many were found at each distance, w: whether what a program said is drawn}], and what is not there is as it was before.
   water   a grid that is flooded: columns, cell (its width), margin, fills (colour of each distance); its frames have
           n: [[distance, its new places]], m: places in the queue.

   Everything was decided on the server, which draws the last frame by itself; here it is only put into the page. */
(() => {
  "use strict";
  const all = (query, element = document) => [...element.querySelectorAll(query)];
  const LASTING = ["q", "f", "l", "k", "d", "w"];

  /* The squares of a grid too large for an element each: painted, a frame only with what is new in it. A white dot is
     in the queue. */
  class Water {
    constructor(canvas, { columns, cell, margin, fills }, frames) {
      Object.assign(this, { canvas, columns, cell, margin, frames, pen: canvas.getContext("2d"), at: -1, waits: [] });
      const style = getComputedStyle(canvas);
      this.fills = fills.map(fill => fill.startsWith("var(") ? style.getPropertyValue(fill.slice(4, -1)) : fill);
      this.inks = new Map();
    }

    show(at) {
      if (at < this.at) {
        this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
        this.inks.clear();
        this.at = -1;
        this.waits = [];
      }
      for (const place of this.waits) this.square(place);
      for (let number = this.at + 1; number <= at; number++) {
        for (const [distance, places] of this.frames[number].n) {
          for (const place of places) { this.inks.set(place, this.fills[distance]); this.square(place); }
        }
      }
      this.at = at;
      this.waits = this.frames[at].m;
      for (const place of this.waits) this.dot(place);
    }

    corner(place) {
      return [this.margin + place % this.columns * this.cell, this.margin + Math.floor(place / this.columns) * this.cell];
    }

    square(place) {
      const [x, y] = this.corner(place);
      this.pen.fillStyle = this.inks.get(place);
      this.pen.fillRect(x, y, this.cell, this.cell);
    }

    dot(place) {
      const [x, y] = this.corner(place), around = this.cell / 5, within = this.cell / 3.2;
      this.pen.fillStyle = "#0e1a20";
      this.pen.fillRect(x + around, y + around, this.cell - 2 * around, this.cell - 2 * around);
      this.pen.fillStyle = "#fff";
      this.pen.fillRect(x + within, y + within, this.cell - 2 * within, this.cell - 2 * within);
    }
  }

  class Show {
    constructor(data, board, beside, graph, words) {
      this.data = data;
      this.beside = beside;
      this.captions = words;
      const parts = [board, graph].filter(Boolean);
      this.cells = new Map();
      for (const cell of parts.flatMap(part => all("[data-at]", part))) {
        const number = +cell.dataset.at;
        if (!this.cells.has(number)) this.cells.set(number, []);
        this.cells.get(number).push({
          cell, kind: ["cell", "node", "over"].filter(word => cell.classList.contains(word)).join(" "), fill: cell.querySelector(".c"),
          text: cell.querySelector("text:not(.name)"),
        });
      }
      this.edges = new Map(parts.flatMap(part => all("[data-edge]", part)).map(edge => [+edge.dataset.edge, edge]));
      this.lines = all("svg > .casing, svg > .line", board);
      this.claim = board.querySelector("[data-claim]");
      this.token = board.querySelector(".token");
      this.water = data.water ? new Water(board.querySelector("[data-water]"), data.water, data.frames) : null;
      this.looks = new Map();
      this.strokes = new Map();
      this.reset();
    }

    get last() { return this.data.frames.length - 1; }

    reset() {
      this.at = -1;
      this.now = {};
      this.wanted = new Map();
      this.drawn = new Map();
    }

    /* What every place and edge looks like at frame `at`: all changes up to there, the later ones winning. */
    show(at) {
      at = Math.max(0, Math.min(at, this.last));
      const places = new Set(), edges = new Set(), anew = at < this.at || this.at < 0;
      if (at < this.at) this.reset();
      for (let number = this.at + 1; number <= at; number++) {
        const frame = this.data.frames[number];
        for (const key of LASTING) if (key in frame) this.now[key] = frame[key];
        for (const place in frame.c) { this.wanted.set(+place, frame.c[place]); places.add(+place); }
        for (const edge in frame.e) { this.drawn.set(+edge, frame.e[edge]); edges.add(+edge); }
      }
      this.at = at;
      for (const place of anew ? this.cells.keys() : places) this.put(place, this.wanted.get(place) || ["", "", ""]);
      for (const number of anew ? this.edges.keys() : edges) {
        if (this.edges.has(number)) this.edges.get(number).setAttribute("class", `edge ${this.drawn.get(number) || ""}`);
      }
      if (this.water) this.water.show(at);
      this.around();
    }

    put(place, look) {
      const key = look.join("|");
      if (this.looks.get(place) === key) return;
      this.looks.set(place, key);
      for (const { cell, kind, fill, text } of this.cells.get(place) || []) {
        cell.setAttribute("class", `${kind} ${look[0]}`);
        if (fill) fill.setAttribute("fill", look[1] || "none");
        if (text) text.textContent = look[2];
      }
    }

    around() {
      const { q, f, l, k, d, w } = this.now;
      for (const line of this.lines) line.setAttribute("points", l || "");
      if (this.claim) this.claim.setAttribute("display", w ? "inline" : "none");
      if (this.token) {
        this.token.setAttribute("display", k < 0 ? "none" : "inline");
        const [x, y] = this.data.spots[Math.max(k, 0)], size = +this.token.getAttribute("width");
        this.token.setAttribute("x", x - size / 2);
        this.token.setAttribute("y", y - size / 2);
      }
      this.beside.querySelector("[data-caption]").textContent = this.captions[this.at];
      all("[data-facts] dd", this.beside).forEach((fact, number) => { fact.textContent = f[number]; });
      const queue = this.beside.querySelector("[data-queue]");
      if (queue) {
        queue.replaceChildren(...q.map(number => {
          const chip = document.createElement("li");
          chip.className = this.data.chips[number];
          chip.textContent = this.data.names[number];
          return chip;
        }));
      }
      all("[data-depths] li", this.beside).forEach((layer, distance) => {
        layer.classList.toggle("void", !d[distance]);
        layer.querySelector("span").textContent = d[distance];
      });
    }
  }

  class Player {
    constructor(figure) {
      this.element = figure.querySelector("[data-player]");
      const data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
      const boards = all("[data-show]", this.element), besides = all("[data-beside]", this.element);
      const words = all("[data-words]", this.element);
      this.shows = data.shows.map((show, number) => new Show(
        show, boards[number], besides[number], this.element.querySelector(`[data-graph="${number}"]`),
        all("li", words[number]).map(line => line.textContent),
      ));
      this.last = Math.max(...this.shows.map(show => show.last));
      this.longest = this.shows.find(show => show.last === this.last).data.frames;
      this.code = all("[data-code] .code", this.element).map((code, number) => [[...code.children], data.code[number]]);
      this.bar = this.element.querySelector("[data-bar]");
      this.range = this.bar.querySelector("[data-range]");
      this.speed = this.bar.querySelector("[data-speed]");
      this.timer = 0;
      this.at = 0;
      this.range.max = this.last;
      this.paintTrack();
      this.listen();
      this.go(data.last ? this.last : 0);
    }

    /* The track of the scrubber has the colours of the layers. */
    paintTrack() {
      const stops = [], part = number => `${(100 * number / Math.max(1, this.last)).toFixed(2)}%`;
      this.longest.forEach((frame, number) => {
        if (number && frame.t === this.longest[number - 1].t) return;
        let end = number;
        while (end < this.last && this.longest[end + 1].t === frame.t) end++;
        stops.push(`var(--l${frame.t}) ${part(number)} ${part(Math.min(end + 1, this.last))}`);
      });
      this.range.style.setProperty("--track", `linear-gradient(90deg, ${stops.join(", ")})`);
      const layers = this.longest.some(frame => frame.b === "layer");
      this.bar.querySelector("[data-do=layer]").hidden = !layers;
    }

    listen() {
      this.bar.addEventListener("click", event => {
        const button = event.target.closest("[data-do]");
        if (button) this.act(button.dataset.do);
      });
      this.range.addEventListener("input", () => { this.stop(); this.go(+this.range.value); });
      this.speed.addEventListener("change", () => { if (this.timer) { this.stop(); this.act("play"); } });
      this.bar.addEventListener("keydown", event => {
        if (event.target === this.speed || event.target === this.range || event.altKey || event.ctrlKey || event.metaKey) return;
        const does = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", PageDown: "layer" }[event.key];
        if (does) { event.preventDefault(); this.act(does); }
      });
    }

    act(does) {
      if (does === "play") {
        if (this.timer) { this.stop(); return; }
        if (this.at === this.last) this.go(0);
        this.timer = setInterval(() => { this.at < this.last ? this.go(this.at + 1) : this.stop(); }, +this.speed.value);
        this.label();
        return;
      }
      this.stop();
      this.go({ first: 0, back: this.at - 1, step: this.at + 1, last: this.last, layer: this.nextLayer() }[does]);
    }

    nextLayer() {
      const next = this.longest.findIndex((frame, number) => number > this.at && frame.b === "layer");
      return next < 0 ? this.last : next;
    }

    stop() {
      clearInterval(this.timer);
      this.timer = 0;
      this.label();
    }

    /* While it plays, a screen reader would only be interrupted: it hears steps that are made by hand. */
    label() {
      const play = this.bar.querySelector("[data-do=play]");
      play.querySelector("use").setAttribute("href", this.timer ? "#i-pause" : "#i-play");
      play.querySelector("span").textContent = this.timer ? play.dataset.pause : play.dataset.play;
      for (const show of this.shows) {
        show.beside.querySelector("[data-caption]").setAttribute("aria-live", this.timer ? "off" : "polite");
      }
    }

    go(at) {
      this.at = Math.max(0, Math.min(at, this.last));
      for (const show of this.shows) show.show(this.at);
      const said = this.range.dataset.say.replace("{n}", this.at).replace("{all}", this.last);
      this.range.value = this.at;
      this.range.setAttribute("aria-valuetext", said);
      this.bar.querySelector("[data-count]").textContent = said;
      const beat = this.shows[0].data.frames[Math.min(this.at, this.shows[0].last)].b;
      for (const [lines, beats] of this.code) {
        lines.forEach((line, number) => line.classList.toggle("now", beats[number].includes(beat)));
      }
    }
  }

  function play(figure) {
    if (figure.player) figure.player.stop();
    figure.player = figure.querySelector("[data-player]") ? new Player(figure) : null;
  }

  window.palfrey = Object.assign(window.palfrey || {}, { play });
  for (const figure of all("[data-figure]")) play(figure);
})();
