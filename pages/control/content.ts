/** The page's markup. All that comes from a service or a store is put there by the script, as text. */
export const CONTENT = `<header>
<p class="kicker">Reference server</p>
<h1 id="url">Token Assay</h1>
<p class="line"><label>Store <select id="scope"><option value="">the server's own</option></select></label>
<button type="button" data-do="POST /reset">Reset this store</button></p>
<p id="message" role="status"></p>
</header>
<main>
<section class="journal" aria-labelledby="journal-heading">
<h2 id="journal-heading">Journal</h2>
<form id="filter" role="search"><label>Filter <input type="search" name="words" autocomplete="off" spellcheck="false" placeholder="a path, a user, a reason"></label>
<label><input type="checkbox" name="refused"> only refused</label>
<button type="button" data-do="DELETE /journal">Clear</button>
<output></output></form>
<ol id="entries" reversed></ol>
<p id="none">No request has come yet. Whatever a client sends to this store is shown here.</p>
<button type="button" id="older" hidden>Show older</button>
</section>
<div class="panels">
<details class="panel"><summary><h2>Clock</h2> <span id="clock-short"></span></summary>
<p><b id="clock"></b></p><p class="note" id="clock-note"></p>
<form data-do="POST /clock/advance"><label>Seconds, back too <input name="seconds" type="number" step="any" value="3600" required></label><button>Move</button></form>
<form data-do="POST /clock/freeze"><label>At, in UTC (empty: now) <input name="at" type="text" placeholder="2024-02-29 12:00:00" autocomplete="off"></label><button>Stop</button></form>
<button type="button" data-do="POST /clock/reset">The machine's time again</button>
</details>
<details class="panel"><summary><h2>Faults</h2> <span id="faults-short"></span></summary>
<ul id="faults"></ul>
<form data-do="POST /faults" data-json="fault"><label>Kind <select name="kind"></select></label>
<label>As JSON <textarea name="json" rows="12" spellcheck="false" required></textarea></label><button>Add</button></form>
<button type="button" data-do="DELETE /faults">Remove all</button>
</details>
<details class="panel"><summary><h2>Accounts</h2> <span id="accounts-short"></span></summary>
<ul id="accounts"></ul>
<form data-do="POST /accounts" autocomplete="off"><label>User name <input name="userName" required autocomplete="off"></label>
<label>Password <input name="password" type="password" required autocomplete="new-password"></label>
<label>E-mail <input name="email" type="email" autocomplete="off"></label><button>Add</button></form>
</details>
<details class="panel"><summary><h2>Settings</h2></summary>
<form data-do="PATCH /settings" data-json="settings"><label>As JSON <textarea name="json" rows="14" spellcheck="false" required></textarea></label><button>Change</button></form>
</details>
<details class="panel"><summary><h2>Scopes</h2> <span id="scopes-short"></span></summary>
<ul id="scopes"></ul>
<form data-do="POST /scopes" data-of="server"><label>Name <input name="name" required pattern="[a-z0-9\\-]{1,64}" autocomplete="off"></label><button>Create</button></form>
</details>
<details class="panel" id="hooks-panel" hidden><summary><h2>Hooks</h2> <span id="hooks-short"></span></summary>
<ul id="hooks"></ul>
<button type="button" data-do="DELETE /hooks">Remove all</button>
</details>
</div>
</main>`
