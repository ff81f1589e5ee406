//! insert WRITER ROWS TABLE...: inserts rows through sqlx, Diesel, SeaORM or tokio-postgres, and
//! prints the ids that they have.  insert create: makes the tables.
//! insert numbers 0 Diesel|SeaORM: saves invoices.

use std::{env, error::Error};

use sqlx::postgres::PgPoolOptions;

const ROWS: usize = 20; // a transaction

type Ids = Result<Vec<i64>, Box<dyn Error>>;

/// Inserts the rows of a transaction with sqlx; returns their ids.
async fn by_sqlx(url: &str, writer: &str, commit: bool) -> Ids {
    let pool = PgPoolOptions::new().max_connections(1).connect(url).await?;
    let mut transaction = pool.begin().await?;
    let mut ids = Vec::new();
    for _ in 0..ROWS {
        let id: i64 = sqlx::query_scalar("INSERT INTO by_sqlx (writer) VALUES ($1) RETURNING id")
            .bind(writer)
            .fetch_one(&mut *transaction)
            .await?;
        ids.push(id);
    }
    if commit { transaction.commit().await? } else { transaction.rollback().await? }
    pool.close().await;
    Ok(ids)
}

/// Inserts them with ids that it has taken before.  tokio-postgres binds by the types that
/// the server infers, and has no string for a regclass.
async fn by_ids(url: &str, writer: &str, commit: bool) -> Ids {
    let (mut client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    let transaction = client.transaction().await?;
    let count = ROWS as i64;
    assert!(transaction.query("SELECT hilo_next($1, $2)", &[&"by_ids", &count]).await.is_err());
    let rows = transaction.query("SELECT hilo_next($1::text, $2)", &[&"by_ids", &count]).await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    let insert = "INSERT INTO by_ids (id, writer) SELECT id, $2 FROM unnest($1::bigint[]) id";
    transaction.execute(insert, &[&ids, &writer]).await?;
    if commit { transaction.commit().await? } else { transaction.rollback().await? }
    Ok(ids)
}

mod diesel_rows {
    use diesel::prelude::*;

    diesel::table! {
        by_diesel (id) {
            id -> BigInt,
            writer -> Text,
        }
    }

    #[derive(Insertable)]
    #[diesel(table_name = by_diesel)]
    struct NewRow<'a> {
        writer: &'a str,
    }

    pub fn insert(url: &str, writer: &str, commit: bool) -> super::Ids {
        let mut connection = PgConnection::establish(url)?;
        let mut ids = Vec::new();
        let result = connection.transaction(|connection| {
            let rows: Vec<_> = (0..super::ROWS).map(|_| NewRow { writer }).collect();
            ids = diesel::insert_into(by_diesel::table)
                .values(&rows)
                .returning(by_diesel::id)
                .get_results(connection)?;
            if commit { Ok(()) } else { Err(diesel::result::Error::RollbackTransaction) }
        });
        match result {
            Err(diesel::result::Error::RollbackTransaction) | Ok(()) => Ok(ids),
            Err(error) => Err(error.into()),
        }
    }
}

mod diesel_numbers {
    use diesel::prelude::*;

    diesel::table! {
        invoices (id) {
            id -> BigInt,
            customer -> Integer,
            state -> Text,
            total -> Integer,
            number -> Nullable<Integer>,
        }
    }

    #[derive(Insertable, AsChangeset)]
    #[diesel(table_name = invoices)]
    struct Invoice<'a> {
        customer: i32,
        state: &'a str,
        total: i32,
    }

    pub fn save(url: &str) -> Result<(), Box<dyn super::Error>> {
        let mut connection = PgConnection::establish(url)?;
        for state in ["posted", "draft"] {
            let mut invoice = Invoice { customer: 7, state, total: 10 };
            let (id, mut number): (i64, Option<i32>) = diesel::insert_into(invoices::table)
                .values(&invoice)
                .returning((invoices::id, invoices::number))
                .get_result(&mut connection)?;
            if state == "draft" {
                invoice.state = "posted";
                number = diesel::update(invoices::table.find(id))
                    .set(&invoice)
                    .returning(invoices::number)
                    .get_result(&mut connection)?;
            }
            println!("{}", number.unwrap());
            invoice.total = 20;
            number = diesel::update(invoices::table.find(id))
                .set(&invoice)
                .returning(invoices::number)
                .get_result(&mut connection)?;
            println!("{}", number.unwrap());
        }
        Ok(())
    }
}

mod sea_rows {
    use sea_orm::{ActiveValue::Set, Database, TransactionTrait, entity::prelude::*};

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "by_seaorm")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub writer: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}

    pub async fn insert(url: &str, writer: &str, commit: bool) -> super::Ids {
        let database = Database::connect(url).await?;
        let transaction = database.begin().await?;
        let mut ids = Vec::new();
        for _ in 0..super::ROWS {
            let row = ActiveModel { writer: Set(writer.to_owned()), ..Default::default() };
            ids.push(row.insert(&transaction).await?.id);
        }
        if commit { transaction.commit().await? } else { transaction.rollback().await? }
        database.close().await?;
        Ok(ids)
    }
}

mod sea_numbers {
    use sea_orm::{ActiveValue::Set, Database, IntoActiveModel, entity::prelude::*};

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "invoices")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub customer: i32,
        pub state: String,
        pub total: i32,
        pub number: Option<i32>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}

    pub async fn save(url: &str) -> Result<(), Box<dyn super::Error>> {
        let database = Database::connect(url).await?;
        for state in ["posted", "draft"] {
            let row = ActiveModel {
                customer: Set(7),
                state: Set(state.to_owned()),
                total: Set(10),
                ..Default::default()
            };
            let mut invoice = row.insert(&database).await?;
            if state == "draft" {
                let mut row = invoice.into_active_model();
                row.state = Set("posted".to_owned());
                invoice = row.update(&database).await?;
            }
            println!("{}", invoice.number.unwrap());
            let mut row = invoice.into_active_model();
            row.total = Set(20);
            println!("{}", row.update(&database).await?.number.unwrap());
        }
        database.close().await?;
        Ok(())
    }
}

async fn insert(url: &str, table: &str, writer: &str, commit: bool) -> Ids {
    match table {
        "by_sqlx" => by_sqlx(url, writer, commit).await,
        "by_ids" => by_ids(url, writer, commit).await,
        "by_diesel" => diesel_rows::insert(url, writer, commit),
        _ => sea_rows::insert(url, writer, commit).await,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let url = format!("postgres://postgres@{}:{}/postgres", env::var("ORM_HOST")?, env::var("ORM_PORT")?);
    if arguments[1] == "create" {
        let pool = PgPoolOptions::new().connect(&url).await?;
        for table in ["by_sqlx", "by_ids", "by_diesel", "by_seaorm"] {
            let create = format!("CREATE TABLE {table} (id bigint PRIMARY KEY DEFAULT hilo_next('{table}'), writer text)");
            sqlx::query(&create).execute(&pool).await?;
        }
        return Ok(());
    }
    if arguments[1] == "numbers" {
        return if arguments[3] == "Diesel" { diesel_numbers::save(&url) } else { sea_numbers::save(&url).await };
    }
    let rows: usize = arguments[2].parse()?;
    for table in &arguments[3..] {
        for _ in 0..rows / ROWS {
            insert(&url, table, &arguments[1], false).await?;
            for id in insert(&url, table, &arguments[1], true).await? {
                println!("{table} {id}");
            }
        }
    }
    Ok(())
}
