import { rmSync, mkdirSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { migrate } from '../../shared/clickhouse/migrate.js';
import { createLogger } from '../../shared/log.js';
import { requestColumns } from '../../services/enricher/sink/encode-rows.js';
import { cpuSecondsOfTree } from './process-memory.js';
const logger=createLogger('error','b');
const N=Number(process.env.N??15000), K=Number(process.env.K??50);
const dir=`/dev/shm/native${N}`; const cols=requestColumns.join(',');
if(!existsSync(dir)){ mkdirSync(dir);
 const e=await startEmbeddedClickHouse({directory:'/tmp/pb/data/clickhouse',logger}); const c=connectClickHouse(e.url,{maxMemoryBytes:2e9});
 for(let i=0;i<K;i++) await c.command(`INSERT INTO FUNCTION file('${dir}/${i}.n','Native') SELECT ${cols} FROM requests ORDER BY received_at, log_offset, log_partition, log_index LIMIT ${i*N},${N}`);
 await c.close(); await e.stop(); }
for(const spec of process.argv.slice(2)) {
 rmSync('/dev/shm/bulk',{recursive:true,force:true});
 const e=await startEmbeddedClickHouse({directory:'/dev/shm/bulk',logger});
 const c=connectClickHouse(e.url,{maxMemoryBytes:2e9});
 await migrate(c,{logger:createLogger('silent','b')});
 const set:string[]=[]; const rows=async(sql:string)=>c.read({name:'x',sql,params:{},row:z.any()}) as Promise<any[]>;
 const tables=(await rows("select name from system.tables where database=currentDatabase() and engine like '%MergeTree'")).map(r=>r.name);
 for(const m of spec.split('|')) { if(m.startsWith('ms=')) for(const t of tables) await c.command(`ALTER TABLE ${t} MODIFY SETTING ${m.slice(3)}`);
   if(m.startsWith('mr=')) for(const t of tables) if(t!=='requests') await c.command(`ALTER TABLE ${t} MODIFY SETTING ${m.slice(3)}`);
   if(m.startsWith('mq=')) await c.command(`ALTER TABLE requests MODIFY SETTING ${m.slice(3)}`);
   if(m.startsWith('set=')) set.push(m.slice(4)); if(m.startsWith('drop=')) for(const t of m.slice(5).split(',')) await c.command(`DROP TABLE ${t}`); if(m.startsWith('stop')) for(const t of tables) await c.command('SYSTEM STOP MERGES '+t); if(m.startsWith('sql=')) await c.command(m.slice(4)); }
 const st=set.length?' SETTINGS '+set.join(', '):'';
 const cpu0=[...cpuSecondsOfTree(e.pid()!)].reduce((s,[,v])=>s+v,0); const t0=performance.now(); let k=0;
 const thr=()=>{const th:any={};for(const tid of readdirSync(`/proc/${e.pid()}/task`)){try{const st=readFileSync(`/proc/${e.pid()}/task/${tid}/stat`,'utf8');const nm=st.match(/\((.*)\)/)![1]!;const a=st.split(') ')[1]!.split(' ');th[nm]=(th[nm]??0)+(Number(a[11])+Number(a[12]))/100;}catch{}} return th;}
 const th0=thr();
 await Promise.all([0,1].map(async()=>{for(;;){const i=k++; if(i>=K)return; await c.command(`INSERT INTO requests (${cols}) SELECT * FROM file('${dir}/${i}.n','Native')${st}`);}}));
 const wall=(performance.now()-t0)/1000; const cpu=[...cpuSecondsOfTree(e.pid()!)].reduce((s,[,v])=>s+v,0)-cpu0;
 const th=thr(); for(const n in th) {th[n]=+(th[n]-(th0[n]??0)).toFixed(2); if(th[n]<0.2) delete th[n];}
 console.log(spec.slice(0,150),'rate',(K*N/wall).toFixed(0),'cpu us/row',(cpu/(K*N)*1e6).toFixed(1),JSON.stringify(th));
 if(process.env.SHOW) { for(const r of await rows("select table, countIf(active) a, countIf(not active) i, sumIf(rows,active) ra, sumIf(rows, level>0) merged_rows, sumIf(bytes_on_disk, level>0) merged_bytes, max(level) l, sumIf(bytes_on_disk,active) ab from system.parts where database=currentDatabase() group by table order by merged_bytes desc")) console.log(JSON.stringify(r)); }
 await c.close(); await e.stop();
}
rmSync('/dev/shm/bulk',{recursive:true,force:true}); process.exit(0)
