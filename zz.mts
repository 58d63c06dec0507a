import ts from 'typescript'; import {execFileSync} from 'node:child_process'; import {readFileSync,writeFileSync} from 'node:fs'
const room=/^(reference|spec|tools|conformance\/(judge|target|plan|assess\/client|assess\/suite|runners)|cli\/serve)\//
const files=execFileSync('git',['ls-files','*.ts'],{encoding:'utf8'}).split('\n').filter(f=>f&&room.test(f)&&!/\.test\.ts$|fixtures/.test(f))
let merges=0,braces=0
for(const f of files){let text=readFileSync(f,'utf8'); const s=ts.createSourceFile(f,text,ts.ScriptTarget.Latest,true); const edits:[number,number,string][]=[]
 const by=new Map<string,ts.ImportDeclaration[]>()
 for(const st of s.statements) if(ts.isImportDeclaration(st)&&st.importClause?.namedBindings&&ts.isNamedImports(st.importClause.namedBindings)&&!st.importClause.name) {const k=st.moduleSpecifier.getText(); (by.get(k)??by.set(k,[]).get(k)!).push(st)}
 for(const [k,list] of by) if(list.length>1){merges++
  const names=list.flatMap(d=>{const t=d.importClause!.isTypeOnly; return (d.importClause!.namedBindings as ts.NamedImports).elements.map(e=>{const x=e.getText(); return t&&!x.startsWith('type ')?'type '+x:x})})
  const allType=names.every(n=>n.startsWith('type '))
  const sorted=names.sort((a,b)=>a.replace('type ','').toLowerCase()<b.replace('type ','').toLowerCase()?-1:1)
  edits.push([list[0].getStart(),list[0].end,allType?`import type { ${sorted.map(n=>n.slice(5)).join(', ')} } from ${k}`:`import { ${sorted.join(', ')} } from ${k}`])
  for(const d of list.slice(1)) edits.push([d.getFullStart(),d.end,''])}
 const visit=(n:ts.Node)=>{ if(ts.isIfStatement(n)&&!n.elseStatement&&!(ts.isIfStatement(n.parent)&&n.parent.elseStatement)&&ts.isBlock(n.thenStatement)&&n.thenStatement.statements.length===1){const b=n.thenStatement, st=b.statements[0]; const inner=b.getText(); const stText=st.getText()
   if(!/\/\/|\/\*/.test(inner.replace(stText,''))&&(ts.isReturnStatement(st)||ts.isThrowStatement(st)||ts.isExpressionStatement(st)||ts.isBreakStatement(st)||ts.isContinueStatement(st))){braces++; edits.push([b.getStart(),b.end,'\n'+stText])}}
  if((ts.isForOfStatement(n)||ts.isForStatement(n)||ts.isWhileStatement(n))&&ts.isBlock(n.statement)&&n.statement.statements.length===1){const b=n.statement, st=b.statements[0]; const stText=st.getText(); if(!/\/\/|\/\*/.test(b.getText().replace(stText,''))&&ts.isExpressionStatement(st)&&!stText.includes('\n')){braces++; edits.push([b.getStart(),b.end,'\n'+stText])}}
  ts.forEachChild(n,visit)}
 visit(s)
 if(!edits.length)continue
 edits.sort((a,b)=>b[0]-a[0]); let last=Infinity; for(const [a,b,r] of edits){ if(b>last)continue; text=text.slice(0,a)+r+text.slice(b); last=a}
 writeFileSync(f,text)}
console.log({merges,braces})
